#include "image/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace gxr::image {

void throw_write_error(const std::string& path, int error_number) {
  throw Error(ErrorCode::InputOutput, path + ": cannot write: " + std::strerror(error_number));
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)),
      partial_(path_ + ".part"),
      stream_(std::fopen(partial_.c_str(), "wb")) {
  if (!stream_) {
    throw_write_error(path_, errno);
  }
}

OutputFile::~OutputFile() {
  if (!committed_) {
    stream_.reset();
    static_cast<void>(std::remove(partial_.c_str()));
  }
}

void OutputFile::write(const void* data, std::size_t size) {
  if (!try_write(data, size)) {
    throw_write_error(path_, errno);
  }
}

void OutputFile::commit() {
  // Network file systems and quotas refuse as late as in close.
  if (std::fclose(stream_.release()) != 0 || std::rename(partial_.c_str(), path_.c_str()) != 0) {
    throw_write_error(path_, errno);
  }
  committed_ = true;
}

}  // namespace gxr::image
