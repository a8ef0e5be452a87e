#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "gxr/export.hpp"

namespace gxr {

/// Closes a stream of the C library.
struct CloseStream {
  /// Closes it; nobody learns of a failure.
  void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
};
/// Owns a stream of the C library.
using StdioFile = std::unique_ptr<std::FILE, CloseStream>;

/// An open file, or the reason why there is none. Closes the file unless somebody took it.
class GXR_API OpenFile {
 public:
  /// Owns an open file.
  explicit OpenFile(int descriptor) noexcept : descriptor_(descriptor) {}
  /// No file, and why: see error() and reason().
  OpenFile(int error, std::string reason) : error_(error), reason_(std::move(reason)) {}
  /// `other` has no file afterwards.
  OpenFile(OpenFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        error_(other.error_),
        reason_(std::move(other.reason_)) {}
  /// Exchanges both.
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(error_, other.error_);
    std::swap(reason_, other.reason_);
    return *this;
  }
  ~OpenFile();

  /// Is there a file?
  [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }
  /// The file; below 0: none.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// As errno has it; 0 for an open file.
  [[nodiscard]] int error() const noexcept { return error_; }
  /// For a message: the system's words, or what is wrong with the path or the file.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  /// Hands the descriptor over.
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
  /// The same as a stream; `mode` as for fdopen(3). Empty, with a reason, when there is none.
  [[nodiscard]] StdioFile stream(const char* mode);

 private:
  int descriptor_ = -1;
  int error_ = 0;
  std::string reason_;
};

// How gxr opens files. Nothing here waits for the other side of a pipe, but open_named(). A path
// with a NUL byte is refused, as the system would take its beginning for the path. Descriptors are
// closed in child processes.

/// To read a file that must be a regular one: no folder, pipe, socket or device.
GXR_API OpenFile open_regular(const std::string& path);

/// To read a file that a user named: a pipe or device is as good. Waits for whoever writes to a
/// named pipe.
GXR_API OpenFile open_named(const std::string& path);

/// What becomes of what a file holds.
enum class WriteMode : std::uint8_t {
  Anew,    ///< what the file held is dropped
  Append,  ///< each write goes to its end
  Keep,    ///< as it is, from the beginning
  Exist,   ///< the same of a file that must be there
};

/// To write a file that a user named. It is made when it is not there. A device, and a pipe that
/// somebody reads, are as good. Symbolic links are followed when they belong to this user or to
/// root: another user's link would let that user choose which file is overwritten. `also_read`:
/// for reading, too.
GXR_API OpenFile open_to_write(const std::string& path, WriteMode mode, bool also_read = false);

/// Makes a file that is not there yet; nothing that exists is touched, and no link followed.
GXR_API OpenFile create_new(const std::string& path);

/// A file that appears under its name only when it is complete. It is written beside it, under a
/// name that nothing had; commit() renames it, and it is removed when nobody called that.
class GXR_API FileReplacement {
 public:
  /// Makes the file beside `path`; see file().
  explicit FileReplacement(std::string path);
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;
  ~FileReplacement();

  /// Open, or says why not.
  [[nodiscard]] OpenFile& file() noexcept { return file_; }
  /// Gives the file its name. Whoever took the file must have closed it. Returns errno, or 0.
  [[nodiscard]] int commit() noexcept;

 private:
  std::string path_;
  std::string partial_;
  OpenFile file_;
  bool pending_;
};

}  // namespace gxr
