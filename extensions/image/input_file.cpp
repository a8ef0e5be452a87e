#include "image/input_file.hpp"

#include <cerrno>
#include <utility>

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

InputFile open_memory(std::span<const std::byte> memory, std::string name) {
  InputFile file{{}, std::move(name)};
  if (memory.empty()) {
    file.fail("it has no bytes");
  }
  // A stream to read does not write there.
  void* const bytes = const_cast<std::byte*>(memory.data());
  file.stream = StdioFile(::fmemopen(bytes, memory.size(), "rb"));
  if (file.stream == nullptr) {
    file.fail("the system has no memory for it", ErrorCode::OutOfMemory);
  }
  return file;
}

}  // namespace gxr::image
