#include "image/output_file.hpp"

#include <cerrno>
#include <utility>

#include "gxr/plain_text.hpp"

namespace gxr::image {

void throw_write_error(const std::string& path, int error_number) {
  throw Error(ErrorCode::InputOutput, path + ": cannot write: " + system_error_text(error_number));
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), replacement_(path_), stream_(replacement_.file().stream("w+b")) {
  if (stream_ == nullptr) {
    throw Error(ErrorCode::InputOutput, path_ + ": cannot write: " + replacement_.file().reason());
  }
}

void OutputFile::write(const void* data, std::size_t size) {
  if (!try_write(data, size)) {
    throw_write_error(path_, errno);
  }
}

void OutputFile::commit() {
  // Network file systems and quotas refuse as late as in close.
  if (std::fclose(stream_.release()) != 0) {
    throw_write_error(path_, errno);
  }
  if (const int error = replacement_.commit(); error != 0) {
    throw_write_error(path_, error);
  }
}

}  // namespace gxr::image
