#include "observe/growing_file.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gxr {

GrowingFile::GrowingFile(OpenFile file) : file_(std::move(file)) {
  struct stat status {};
  is_regular_ = ::fstat(file_.descriptor(), &status) == 0 && S_ISREG(status.st_mode);
  has_name_ = links() > 0;
}

int GrowingFile::add(std::string piece, std::string_view end) {
  const std::uint64_t stays = piece.size();
  if (!is_regular_) {
    return put(std::move(piece), stays);
  }
  piece += end;
  if (const std::size_t before = end_.size(); piece.size() < before) {
    piece.append(before - piece.size(), '\n');  // over the rest of the end that was there
  }
  return put(std::move(piece), stays);
}

int GrowingFile::finish(std::string piece, std::string_view end) {
  const std::uint64_t size = place_ + piece.size() + end.size();
  int error = is_regular_ ? add(std::move(piece), end) : put(std::move(piece.append(end)), 0);
  if (error == 0 && is_regular_ && ::ftruncate(file_.descriptor(), static_cast<off_t>(size)) != 0) {
    error = errno;
  }
  if (error == 0 && has_name_ && links() == 0) {
    error = ENOENT;
  }
  if (::close(file_.release()) != 0 && error == 0 && errno != EINTR) {
    error = errno;
  }
  return error;
}

/// `stays`: how much of the text is not overwritten by the next.
int GrowingFile::put(std::string text, std::uint64_t stays) {
  const int error = write(text, place_);
  if (error != 0) {
    go_back();
    return error;
  }
  place_ += stays;
  if (is_regular_) {
    end_ = text.erase(0, stays);
  }
  return 0;
}

int GrowingFile::write(std::string_view text, std::uint64_t place) const {
  while (!text.empty()) {
    const ssize_t written = is_regular_ ? ::pwrite(file_.descriptor(), text.data(), text.size(),
                                                   static_cast<off_t>(place))
                                        : ::write(file_.descriptor(), text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return errno;
    }
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      place += static_cast<std::uint64_t>(written);
    }
  }
  return 0;
}

/// To the last end that was whole. The cut needs no room on the disk: it has no error that the file
/// could survive.
void GrowingFile::go_back() const {
  if (is_regular_ && write(end_, place_) == 0) {
    [[maybe_unused]] const int cut =
        ::ftruncate(file_.descriptor(), static_cast<off_t>(place_ + end_.size()));
  }
}

int GrowingFile::links() const {
  struct stat status {};
  return ::fstat(file_.descriptor(), &status) == 0 ? static_cast<int>(status.st_nlink) : 0;
}

}  // namespace gxr
