#include "image/input_file.hpp"

#include <cerrno>

namespace gxr::image {

InputFile open_file(const std::string& path) {
  InputFile file{{}, path};
  OpenFile opened = open_regular(path);
  file.stream = opened.stream("rb");
  if (file.stream == nullptr) {
    file.fail(opened.error() == EISDIR ? "is a folder" : opened.reason(),
              opened.error() == ENOENT ? ErrorCode::NotFound : ErrorCode::InputOutput);
  }
  return file;
}

}  // namespace gxr::image
