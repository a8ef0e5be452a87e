#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gxr {

/// An open file with a position. Small writes gather in a buffer, small reads come from one; large
/// ones go between the caller's memory and the operating system without a copy in between. All
/// failures are Error with the path and the system's words.
class FileStream {
 public:
  static constexpr std::size_t kDefaultBuffer = std::size_t{2} << 20U;

  /// `flags` as for open(2). A pipe is refused, and what is read is a regular file. Throws
  /// Error(NotFound) when the file is not there, else Error(InputOutput).
  FileStream(std::string path, int flags, std::size_t buffer_size = kDefaultBuffer);
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  /// Writes what is left; failures are lost.
  ~FileStream();

  void write(const void* data, std::size_t size);
  /// Fewer bytes only at the end of the file.
  std::size_t read(void* data, std::size_t size);
  void seek(std::uint64_t position);
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// What tells the file from all others, by whatever path it was opened.
  struct Identity {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    bool is_regular = false;  ///< no device, pipe or the like
    bool operator==(const Identity&) const = default;
  };
  [[nodiscard]] Identity identity() const;
  /// Keeps other processes that lock the file from doing so until this one closes it; not `alone`:
  /// from locking it alone. False: another process has it. File systems without locks lock nothing.
  [[nodiscard]] bool lock(bool alone) const;
  /// Bytes of the file, unwritten ones included.
  [[nodiscard]] std::uint64_t size() const;
  void flush();
  /// Drops what was written from `position` on, and goes on there.
  void truncate(std::uint64_t position);
  /// Drops what the file had when it was opened. Precondition: nothing was written. Devices stay as
  /// they are.
  void drop_content();
  void close();

  /// How much is fetched at once for small reads, and together with each larger one behind it.
  void read_ahead(std::size_t bytes) noexcept { read_ahead_ = bytes; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  /// Everything before this position has been handed to the operating system.
  [[nodiscard]] std::uint64_t handed_over() const noexcept { return position_ - unwritten_.size(); }
  void hand_over(const void* data, std::size_t size);
  std::size_t take_cached(std::byte* to, std::size_t size);
  std::size_t fetch(std::byte* to, std::size_t size);
  [[noreturn]] void fail(const char* what, int error) const;
  [[noreturn]] void fail(const char* what, int error, const std::string& reason) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t position_ = 0;  // of the next read or write
  std::size_t buffer_size_;
  std::size_t read_ahead_ = std::size_t{64} << 10U;
  std::vector<std::byte> unwritten_;  // belongs right before position_
  std::vector<std::byte> cache_;      // its first cached_ bytes are those from cache_start_ on
  std::uint64_t cache_start_ = 0;
  std::size_t cached_ = 0;
};

}  // namespace gxr
