#include "observe/log_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

std::string cannot(const std::string& what, const std::string& file, const std::string& reason) {
  return "cannot " + what + " the log file '" + file + "': " + reason;
}

/// errno, or 0 also when there is no such file.
int rename_if_there(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 || errno == ENOENT ? 0 : errno;
}

std::string numbered(const std::string& path, int number) {
  return path + "." + std::to_string(number);
}

/// Makes room for another FILE.1; the oldest one goes. errno, or 0.
int shift_old_files(const std::string& path, int count) {
  for (int i = count - 1; i >= 1; --i) {
    if (const int error = rename_if_there(numbered(path, i), numbered(path, i + 1)); error != 0) {
      return error;
    }
  }
  return 0;
}

bool is_still_at(int descriptor, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// What has the number `descriptor` is another file from now on. errno, or 0.
int put_in_place(const OpenFile& next, int descriptor) {
  while (::dup3(next.descriptor(), descriptor, O_CLOEXEC) < 0) {
    if (errno != EINTR && errno != EBUSY) {
      return errno;
    }
  }
  return 0;
}

/// Returns why not.
std::string go_on_in(const std::string& path, int descriptor) {
  const OpenFile next = open_to_write(path, WriteMode::Append);
  if (!next) {
    return next.reason();
  }
  const int error = put_in_place(next, descriptor);
  return error == 0 ? std::string() : system_error_text(error);
}

/// The file itself, where the name is a symbolic link.
std::string real_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

LogFile::LogFile(std::string name, const LogRotation& rotation)
    : name_(std::move(name)), rotation_(rotation), file_(open_to_write(name_, WriteMode::Append)) {
  if (!file_) {
    throw Error(ErrorCode::InputOutput, cannot("write", name_, file_.reason()));
  }
  struct stat status {};
  if (rotation_.bytes > 0 &&
      (::fstat(file_.descriptor(), &status) != 0 || !S_ISREG(status.st_mode))) {
    throw Error(ErrorCode::InputOutput, cannot("rotate", name_, "it is no regular file"));
  }
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(name_, error);
  path_ = error ? name_ : path.string();
  take_size();
}

void LogFile::take_size() noexcept {
  struct stat status {};
  size_ = ::fstat(file_.descriptor(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size)
                                                    : std::uint64_t{0};
}

bool LogFile::is_full_for(std::size_t bytes) const noexcept {
  return rotation_.bytes > 0 && size_ > 0 && size_ + bytes > rotation_.bytes;
}

/// Another process may write to the same file, and rotate it at the same time.
std::string LogFile::rotate() {
  const int descriptor = file_.descriptor();
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return {};
  }
  const std::string problem = rotate_locked(real_path(path_));
  if (problem.empty()) {
    take_size();
    return {};
  }
  ::flock(descriptor, LOCK_UN);
  size_ = 0;
  return cannot("rotate", name_, problem);
}

std::string LogFile::rotate_locked(const std::string& path) {
  const int descriptor = file_.descriptor();
  if (!is_still_at(descriptor, path)) {
    return go_on_in(path_, descriptor);
  }
  int error = shift_old_files(path, rotation_.count);
  if (error == 0 && std::rename(path.c_str(), numbered(path, 1).c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    return system_error_text(error);
  }
  std::string problem = go_on_in(path, descriptor);
  if (!problem.empty()) {
    static_cast<void>(rename_if_there(numbered(path, 1), path));
  }
  return problem;
}

std::string LogFile::reopen() {
  const std::string problem = go_on_in(path_, file_.descriptor());
  if (!problem.empty()) {
    return cannot("write", name_, problem);
  }
  take_size();
  is_torn_ = false;
  return {};
}

int LogFile::append(std::string_view line) noexcept {
  if (std::exchange(is_torn_, false)) {
    static_cast<void>(!::write(file_.descriptor(), "\n", 1));
  }
  const std::size_t whole = line.size();
  while (!line.empty()) {
    const ssize_t written = ::write(file_.descriptor(), line.data(), line.size());
    if (written >= 0) {
      line.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd room{file_.descriptor(), POLLOUT, 0};
      static_cast<void>(::poll(&room, 1, -1));
    } else if (errno != EINTR) {
      is_torn_ = line.size() < whole;
      return errno;
    }
  }
  size_ += whole;
  return 0;
}

}  // namespace gxr
