#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"

namespace gxr::image {

/// An open file that knows its path, for error texts.
struct InputFile {
  StdioFile stream;
  std::string path;

  [[noreturn]] void fail(const std::string& reason, ErrorCode code = ErrorCode::InvalidData) const {
    throw Error(code, path + ": " + reason);
  }
};

/// Opens a regular file to read. Throws Error: NotFound, InputOutput.
InputFile open_file(const std::string& path);

/// A file in memory, which must outlive the result. Throws Error: InvalidData for one without a
/// byte, OutOfMemory.
InputFile open_memory(std::span<const std::byte> memory, std::string name);

}  // namespace gxr::image
