#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"

namespace gxr::image {

/// A file that appears under its name only when it is complete: written under a name of its own,
/// which begins with NAME.part, renamed by commit(), removed when commit() was not reached.
class OutputFile {
 public:
  /// Throws Error(InputOutput) that names the file.
  explicit OutputFile(std::string path);

  /// False when the system refused; errno says why.
  [[nodiscard]] bool try_write(const void* data, std::size_t size) noexcept {
    return std::fwrite(data, 1, size, stream_.get()) == size;
  }
  /// To write, to read what was written, and to seek.
  [[nodiscard]] std::FILE* stream() const noexcept { return stream_.get(); }
  /// Throws Error(InputOutput) when the system refuses.
  void write(const void* data, std::size_t size);
  /// Finishes the file. Throws Error(InputOutput), e.g. when the disk is full.
  void commit();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  FileReplacement replacement_;
  StdioFile stream_;
};

/// Throws Error(InputOutput): "PATH: cannot write: REASON", with the text of `error_number`.
[[noreturn]] void throw_write_error(const std::string& path, int error_number);

}  // namespace gxr::image
