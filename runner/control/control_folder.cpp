#include "control/control_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "ipc/file_descriptor.hpp"
#include "ipc/local_socket.hpp"

namespace gxr {
namespace {

constexpr std::string_view kEnding = ".sock";
constexpr mode_t kMayChange = S_IWGRP | S_IWOTH;

/// Empty: the variable is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string folder_of_user() { return "/tmp/gxr-" + std::to_string(::geteuid()); }

/// As the XDG specification wants it. One that sudo kept from another user is none.
bool is_runtime_folder(const std::string& path) {
  struct stat folder {};
  return !path.empty() && ::stat(path.c_str(), &folder) == 0 && S_ISDIR(folder.st_mode) &&
         folder.st_uid == ::geteuid();
}

/// The folders in which applications may be; the first is the one for this process.
std::vector<std::string> control_folders() {
  if (const std::string own = variable("GXR_RUNTIME_DIR"); !own.empty()) {
    return {own};
  }
  std::vector<std::string> folders;
  if (const std::string runtime = variable("XDG_RUNTIME_DIR"); is_runtime_folder(runtime)) {
    folders.push_back(runtime + "/gxr");
  }
  folders.push_back(folder_of_user());
  return folders;
}

std::string folder_text(const std::string& path) { return "folder " + quote_text(path); }

[[noreturn]] void throw_no_folder(const std::string& path, int error) {
  struct stat file {};
  if (error == ENOENT) {
    throw Error(ErrorCode::NotFound, folder_text(path) + " does not exist");
  }
  if (::lstat(path.c_str(), &file) == 0 && !S_ISDIR(file.st_mode)) {
    throw Error(
        ErrorCode::InvalidState,
        quote_text(path) + (S_ISLNK(file.st_mode) ? " is a symbolic link" : " is no folder"));
  }
  throw Error(ErrorCode::InputOutput, folder_text(path) + ": " + system_error_text(error));
}

/// The number in "4711.sock".
std::optional<std::int64_t> process_of(std::string_view name) {
  constexpr std::size_t kMostDigits = 18;
  if (!name.ends_with(kEnding)) {
    return std::nullopt;
  }
  name.remove_suffix(kEnding.size());
  const bool is_number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || name.empty() || name.size() > kMostDigits) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

void add_sockets_in(const std::string& folder, std::vector<ListeningSocket>& sockets) {
  using Iterator = std::filesystem::directory_iterator;
  std::error_code error;
  for (Iterator entry(folder, error); !error && entry != Iterator(); entry.increment(error)) {
    const auto process = process_of(entry->path().filename().string());
    std::error_code ignored;
    if (!process || entry->symlink_status(ignored).type() != std::filesystem::file_type::socket) {
      continue;
    }
    const std::string path = entry->path().string();
    if (is_listened_at({path, "control socket"})) {
      sockets.push_back({*process, path});
    }
  }
}

}  // namespace

void require_own_folder(const std::string& path) {
  const FileDescriptor folder(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) {
    throw_no_folder(path, errno);
  }
  struct stat found {};
  if (::fstat(folder.get(), &found) != 0) {
    throw_no_folder(path, errno);
  }
  if (found.st_uid != ::geteuid()) {
    throw Error(ErrorCode::InvalidState, folder_text(path) + " belongs to another user");
  }
  if ((found.st_mode & kMayChange) != 0) {
    throw Error(ErrorCode::InvalidState, folder_text(path) + " may be changed by other users");
  }
}

std::string make_own_control_path(std::int64_t process) {
  const std::string folder = control_folders().front();
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw Error(ErrorCode::InputOutput, folder_text(folder) + ": " + system_error_text(errno));
  }
  require_own_folder(folder);
  return folder + "/" + std::to_string(process != 0 ? process : ::getpid()) + std::string(kEnding);
}

std::vector<ListeningSocket> listening_sockets(std::vector<std::string>& problems) {
  std::vector<ListeningSocket> sockets;
  for (const std::string& folder : control_folders()) {
    try {
      require_own_folder(folder);
      add_sockets_in(folder, sockets);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::NotFound) {
        problems.push_back(error.message());
      }
    }
  }
  std::ranges::sort(sockets, {}, &ListeningSocket::process);
  return sockets;
}

}  // namespace gxr
