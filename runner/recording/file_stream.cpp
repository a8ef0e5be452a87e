#include "recording/file_stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

/// Larger pieces are not copied. Smaller ones are, so that they reach the system many at once.
constexpr std::size_t kLarge = std::size_t{16} << 10U;

OpenFile open_with(const std::string& path, int flags) {
  if ((flags & O_ACCMODE) == O_RDONLY) {
    return open_regular(path);
  }
  const WriteMode mode = (flags & O_CREAT) == 0    ? WriteMode::Exist
                         : (flags & O_TRUNC) != 0  ? WriteMode::Anew
                         : (flags & O_APPEND) != 0 ? WriteMode::Append
                                                   : WriteMode::Keep;
  return open_to_write(path, mode, (flags & O_ACCMODE) == O_RDWR);
}

/// Why there is no file, in words that say what to do where that is known.
std::string reason_of(const OpenFile& failed, const std::string& path, int flags) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code unknown;
  if ((flags & O_CREAT) != 0 && failed.error() == ENOENT && !folder.empty() &&
      !std::filesystem::exists(folder, unknown) && !unknown) {
    return "the folder " + quote_text(folder.string()) + " does not exist; make it first";
  }
  return failed.reason();
}

}  // namespace

FileStream::FileStream(std::string path, int flags, std::size_t buffer_size)
    : path_(std::move(path)), buffer_size_(std::max<std::size_t>(buffer_size, 1)) {
  const char* const what = (flags & O_CREAT) != 0 ? "cannot create" : "cannot open";
  OpenFile opened = open_with(path_, flags);
  if (!opened) {
    fail(what, opened.error(), reason_of(opened, path_, flags));
  }
  struct stat status {};
  // What is written stands at places of the file, which pipes have not.
  if (::fstat(opened.descriptor(), &status) == 0 &&
      (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) {
    fail(what, ESPIPE, "it is a pipe or socket");
  }
  descriptor_ = opened.release();
}

FileStream::~FileStream() {
  try {
    close();
  } catch (const Error&) {  // said in the contract
  }
}

void FileStream::fail(const char* what, int error) const {
  fail(what, error, system_error_text(error));
}

void FileStream::fail(const char* what, int error, const std::string& reason) const {
  const ErrorCode code =
      error == ENOENT && descriptor_ < 0 ? ErrorCode::NotFound : ErrorCode::InputOutput;
  throw Error(code, std::string(what) + " " + quote_text(path_) + ": " + reason);
}

bool FileStream::lock(bool alone) const {
  int result = 0;
  do {
    result = ::flock(descriptor_, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno != EWOULDBLOCK;
}

void FileStream::write(const void* data, std::size_t size) {
  cached_ = 0;
  if (size >= kLarge || unwritten_.size() + size > buffer_size_) {
    hand_over(data, size);
    return;
  }
  const auto* bytes = static_cast<const std::byte*>(data);
  unwritten_.insert(unwritten_.end(), bytes, bytes + size);
  position_ += size;
}

void FileStream::flush() {
  if (!unwritten_.empty()) {
    hand_over(nullptr, 0);
  }
}

/// Writes the buffer and then `data`, in one call where the system takes it.
void FileStream::hand_over(const void* data, std::size_t size) {
  std::array<iovec, 2> pieces{
      {{unwritten_.data(), unwritten_.size()}, {const_cast<void*>(data), size}}};
  std::uint64_t at = handed_over();
  std::size_t left = unwritten_.size() + size;
  std::size_t first = 0;
  while (left > 0) {
    const ssize_t done = ::pwritev(descriptor_, &pieces.at(first), static_cast<int>(2 - first),
                                   static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      const int error = done < 0 ? errno : ENOSPC;
      // What the system took stays; the position is where it stopped.
      unwritten_.clear();
      position_ = at;
      fail("cannot write", error);
    }
    auto advance = static_cast<std::size_t>(done);
    at += advance;
    left -= advance;
    while (first < 2 && advance >= pieces.at(first).iov_len && left > 0) {
      advance -= pieces.at(first).iov_len;
      ++first;
    }
    if (left > 0) {
      pieces.at(first).iov_base = static_cast<std::byte*>(pieces.at(first).iov_base) + advance;
      pieces.at(first).iov_len -= advance;
    }
  }
  unwritten_.clear();
  position_ = at;
}

std::size_t FileStream::read(void* data, std::size_t size) {
  flush();
  auto* to = static_cast<std::byte*>(data);
  std::size_t done = 0;
  while (done < size) {
    std::size_t got = take_cached(to + done, size - done);
    if (got == 0) {
      got = fetch(to + done, size - done >= read_ahead_ ? size - done : 0);
      if (got == 0 && cached_ == 0) {
        break;
      }
    }
    done += got;
  }
  return done;
}

/// Copies what the cache has of the next `size` bytes.
std::size_t FileStream::take_cached(std::byte* to, std::size_t size) {
  if (position_ < cache_start_ || position_ - cache_start_ >= cached_) {
    return 0;
  }
  const auto start = static_cast<std::size_t>(position_ - cache_start_);
  const std::size_t take = std::min(size, cached_ - start);
  std::memcpy(to, cache_.data() + start, take);
  position_ += take;
  return take;
}

/// Reads up to `size` bytes to their place and fills the cache with those behind them, in one call.
std::size_t FileStream::fetch(std::byte* to, std::size_t size) {
  if (cache_.size() < read_ahead_) {
    cache_.resize(read_ahead_);
  }
  const std::array<iovec, 2> pieces{{{to, size}, {cache_.data(), read_ahead_}}};
  cached_ = 0;
  ssize_t got = 0;
  do {
    got = ::preadv(descriptor_, pieces.data(), 2, static_cast<off_t>(position_));
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    fail("cannot read", errno);
  }
  const std::size_t direct = std::min(static_cast<std::size_t>(got), size);
  position_ += direct;
  cache_start_ = position_;
  cached_ = static_cast<std::size_t>(got) - direct;
  return direct;
}

void FileStream::seek(std::uint64_t position) {
  flush();
  position_ = position;
}

FileStream::Identity FileStream::identity() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    fail("cannot look at", errno);
  }
  return {status.st_dev, status.st_ino, S_ISREG(status.st_mode)};
}

std::uint64_t FileStream::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    fail("cannot look at", errno);
  }
  return std::max(static_cast<std::uint64_t>(status.st_size), unwritten_.empty() ? 0 : position_);
}

void FileStream::truncate(std::uint64_t position) {
  if (position >= handed_over()) {
    unwritten_.resize(static_cast<std::size_t>(position - handed_over()));
    position_ = position;
    return;
  }
  unwritten_.clear();
  position_ = position;
  if (::ftruncate(descriptor_, static_cast<off_t>(position)) != 0) {
    fail("cannot shorten", errno);
  }
}

void FileStream::drop_content() {
  // Not for its own sake when there is nothing: ext4 writes a file that was emptied to the disk
  // when it is closed, and the writer waits for that.
  if (identity().is_regular && size() > 0 && ::ftruncate(descriptor_, 0) != 0) {
    fail("cannot empty", errno);
  }
}

void FileStream::close() {
  if (descriptor_ < 0) {
    return;
  }
  try {
    flush();
  } catch (...) {
    ::close(std::exchange(descriptor_, -1));
    throw;
  }
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    fail("cannot finish", errno);
  }
}

}  // namespace gxr
