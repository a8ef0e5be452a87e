#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "gxr/error.hpp"

namespace gxr::image {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// An open file that knows its path, for error texts.
struct InputFile {
  std::unique_ptr<std::FILE, CloseFile> stream;
  std::string path;

  [[noreturn]] void fail(const std::string& reason, ErrorCode code = ErrorCode::InvalidData) const {
    throw Error(code, path + ": " + reason);
  }
};

}  // namespace gxr::image
