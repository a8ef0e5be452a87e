#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"

namespace gxr::image {

/// Where an encoder puts its bytes.
class OutputStream {
 public:
  /// `path` is for error texts; `stream` may be empty.
  OutputStream(std::string path, StdioFile stream)
      : path_(std::move(path)), stream_(std::move(stream)) {}

  /// False when the system refused; errno says why.
  [[nodiscard]] bool try_write(const void* data, std::size_t size) noexcept {
    return std::fwrite(data, 1, size, stream_.get()) == size;
  }
  /// Throws Error(InputOutput) when the system refuses.
  void write(const void* data, std::size_t size);

  [[nodiscard]] std::FILE* stream() const noexcept { return stream_.get(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 protected:
  /// Closes the stream. Throws Error(InputOutput).
  void close();

 private:
  std::string path_;
  StdioFile stream_;
};

/// A file that appears under its name only when it is complete: written under a name of its own,
/// which begins with NAME.part, renamed by commit(), removed when commit() was not reached. Its
/// stream() can be read and seeks, too.
class OutputFile final : public OutputStream {
 public:
  /// Throws Error(InputOutput) that names the file.
  explicit OutputFile(const std::string& path);

  /// Finishes the file. Throws Error(InputOutput), e.g. when the disk is full.
  void commit();

 private:
  explicit OutputFile(std::unique_ptr<FileReplacement> replacement, const std::string& path);

  std::unique_ptr<FileReplacement> replacement_;
};

/// A file in memory.
class OutputMemory final : public OutputStream {
 public:
  /// `name` is for error texts. Throws Error(OutOfMemory).
  explicit OutputMemory(std::string name);
  OutputMemory(const OutputMemory&) = delete;
  OutputMemory& operator=(const OutputMemory&) = delete;
  ~OutputMemory();

  /// The bytes that were written, to be freed by free(3), and their number. Once. Throws
  /// Error(InputOutput).
  std::pair<char*, std::size_t> take();

 private:
  char* memory_ = nullptr;
  std::size_t size_ = 0;
};

/// Throws Error(InputOutput): "PATH: cannot write: REASON", with the text of `error_number`.
[[noreturn]] void throw_write_error(const std::string& path, int error_number);

}  // namespace gxr::image
