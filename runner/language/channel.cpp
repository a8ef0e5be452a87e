#include "language/channel.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::language {
namespace {

constexpr std::size_t kLongestHeader = 4096;
constexpr std::size_t kLongestText = std::size_t{64} << 20U;
constexpr std::string_view kEndOfHeader = "\r\n\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t");
  return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
}

/// The length that a header says; nothing: it says none.
std::optional<std::size_t> length_in(std::string_view header) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find("\r\n"), header.size());
    const std::string_view line = header.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && lower_case(line.substr(0, colon)) == "content-length") {
      const std::string_view digits = without_blanks(line.substr(colon + 1));
      std::size_t length = 0;
      const auto [last, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), length);
      if (error == std::errc() && last == digits.data() + digits.size()) {
        return length;
      }
    }
    header.remove_prefix(std::min(end + 2, header.size()));
  }
  return std::nullopt;
}

}  // namespace

/// False: the input has ended.
bool Channel::read_more() {
  std::array<char, 65536>
      buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
  for (;;) {
    const ssize_t count = ::read(input_, buffer.data(), buffer.size());
    if (count >= 0) {
      read_.append(buffer.data(), static_cast<std::size_t>(count));
      return count > 0;
    }
    if (errno != EINTR) {
      throw Error(ErrorCode::InputOutput,
                  "cannot read from the editor: " + system_error_text(errno));
    }
  }
}

/// The length of the text behind the header, which is taken.
std::optional<std::size_t> Channel::read_header() {
  std::size_t end = read_.find(kEndOfHeader);
  while (end == std::string::npos) {
    if (read_.size() > kLongestHeader) {
      throw Error(ErrorCode::InvalidData, "the editor sent a header without an end");
    }
    if (!read_more()) {
      return std::nullopt;
    }
    end = read_.find(kEndOfHeader);
  }
  const std::optional<std::size_t> length = length_in(std::string_view(read_).substr(0, end));
  read_.erase(0, end + kEndOfHeader.size());
  if (!length) {
    throw Error(ErrorCode::InvalidData, "the editor sent a header without 'Content-Length'");
  }
  if (*length > kLongestText) {
    throw Error(ErrorCode::InvalidData, "the editor sent a message of " + std::to_string(*length) +
                                            " bytes; " + std::to_string(kLongestText) +
                                            " are possible");
  }
  return length;
}

std::optional<std::string> Channel::read() {
  const std::optional<std::size_t> length = read_header();
  if (!length) {
    return std::nullopt;
  }
  while (read_.size() < *length) {
    if (!read_more()) {
      return std::nullopt;
    }
  }
  std::string text = read_.substr(0, *length);
  read_.erase(0, *length);
  return text;
}

bool Channel::has_input(std::chrono::milliseconds within) const {
  if (!read_.empty()) {
    return true;
  }
  pollfd input{input_, POLLIN, 0};
  return ::poll(&input, 1, static_cast<int>(within.count())) > 0;
}

void Channel::write(const nlohmann::json& message) const {
  const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string whole =
      "Content-Length: " + std::to_string(text.size()) + std::string(kEndOfHeader) + text;
  for (std::string_view rest = whole; !rest.empty();) {
    const ssize_t count = ::write(output_, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw Error(ErrorCode::InputOutput,
                  "cannot write to the editor: " + system_error_text(errno));
    }
  }
}

}  // namespace gxr::language
