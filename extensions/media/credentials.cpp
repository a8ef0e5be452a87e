#include "media/credentials.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include <sys/stat.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::media {
namespace {

constexpr std::size_t kLongestFile = 1024;  // of the file

[[noreturn]] void refuse_file(const std::string& path, const std::string& reason,
                              ErrorCode code = ErrorCode::InputOutput) {
  throw Error(code, "'credentials': " + path + ": " + reason);
}

std::string octal(mode_t mode) {
  std::string text = "0";
  for (const int shift : {6, 3, 0}) {
    text += static_cast<char>('0' + (mode >> shift & 7U));
  }
  return text;
}

void require_private(const std::string& path, int descriptor) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    refuse_file(path, "others can use this file (mode " + octal(facts.st_mode) +
                          "): run 'chmod 600 " + path + "'");
  }
}

std::string read_all(const std::string& path, int descriptor) {
  std::array<char, kLongestFile + 1> buffer{};
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < buffer.size(); size += static_cast<std::size_t>(got)) {
    got = ::read(descriptor, buffer.data() + size, buffer.size() - size);
    if (got < 0) {
      refuse_file(path, "this file cannot be read");
    }
  }
  return {buffer.data(), size};
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

/// USER:PASSWORD@HOST, or what may have been meant so: a password may have any sign.
bool has_password(std::string_view address) {
  const std::string_view authority = address.substr(0, address.find_first_of("/?#"));
  const std::size_t colon = authority.find(':');
  if (colon == std::string_view::npos) {
    return false;
  }
  const std::string_view behind = authority.substr(colon + 1);
  const bool is_port = std::ranges::all_of(behind, is_digit);
  return behind.find('@') != std::string_view::npos ||
         (!is_port && !authority.starts_with('[') &&
          address.find('@', colon) != std::string_view::npos);
}

bool has_address_with_password(std::string_view text) {
  constexpr std::string_view kMark = "://";
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at)) {
    at += kMark.size();
    const std::string_view rest = text.substr(at);
    if (has_password(rest.substr(0, rest.find_first_of(" \t\n\"'")))) {
      return true;
    }
  }
  return false;
}

/// "NAME=", also with blanks in front of the sign, as GStreamer reads it; or a longer name that
/// ends so.
bool has_setting(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at)) {
    at += name.size();
    const std::size_t next = text.find_first_not_of(" \t\r\n", at);
    if (next != std::string_view::npos && text[next] == '=') {
      return true;
    }
  }
  return false;
}

/// Of elements that `credentials` cannot set, such as a proxy, too.
bool has_password_setting(std::string_view text) {
  constexpr std::array<std::string_view, 5> kNames = {"user-pw", "proxy-pw", "password", "passwd",
                                                      "passphrase"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view name) { return has_setting(text, name); });
}

[[noreturn]] void throw_refused() {
  throw Error(ErrorCode::InvalidParameter,
              "a password must not stand in an application: write USER:PASSWORD into a file that "
              "only you can read, and its path into the parameter credentials");
}

}  // namespace

Credentials read_credentials(const std::string& path) {
  const OpenFile file = open_regular(path);
  if (!file) {
    refuse_file(path, file.reason(),
                file.error() == ENOENT ? ErrorCode::NotFound : ErrorCode::InputOutput);
  }
  require_private(path, file.descriptor());
  std::string line = read_all(path, file.descriptor());
  if (line.ends_with('\n')) {
    line.pop_back();
  }
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string::npos || line.size() > kLongestFile ||
      std::ranges::any_of(line, is_control)) {
    refuse_file(path, "this file must hold one line USER:PASSWORD", ErrorCode::InvalidData);
  }
  return {line.substr(0, colon), line.substr(colon + 1)};
}

void refuse_password_in_address(std::string_view address) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = address.find(kMark);
  if (mark != std::string_view::npos && (has_password(address.substr(mark + kMark.size())) ||
                                         has_password_setting(address.substr(mark)))) {
    throw_refused();
  }
}

void refuse_password_in_pipeline(std::string_view text) {
  if (has_password_setting(text) || has_address_with_password(text)) {
    throw_refused();
  }
}

}  // namespace gxr::media
