#include "image/output_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "gxr/plain_text.hpp"

namespace gxr::image {

void throw_write_error(const std::string& path, int error_number) {
  throw Error(ErrorCode::InputOutput, path + ": cannot write: " + system_error_text(error_number));
}

void OutputStream::write(const void* data, std::size_t size) {
  if (!try_write(data, size)) {
    throw_write_error(path_, errno);
  }
}

void OutputStream::close() {
  // Network file systems and quotas refuse as late as in close.
  if (std::fclose(stream_.release()) != 0) {
    throw_write_error(path_, errno);
  }
}

OutputFile::OutputFile(const std::string& path)
    : OutputFile(std::make_unique<FileReplacement>(path), path) {}

OutputFile::OutputFile(std::unique_ptr<FileReplacement> replacement, const std::string& path)
    : OutputStream(path, replacement->file().stream("w+b")), replacement_(std::move(replacement)) {
  if (stream() == nullptr) {
    throw Error(ErrorCode::InputOutput, path + ": cannot write: " + replacement_->file().reason());
  }
}

void OutputFile::commit() {
  close();
  if (const int error = replacement_->commit(); error != 0) {
    throw_write_error(path(), error);
  }
}

OutputMemory::OutputMemory(std::string name)
    : OutputStream(std::move(name), StdioFile(::open_memstream(&memory_, &size_))) {
  if (stream() == nullptr) {
    throw Error(ErrorCode::OutOfMemory, path() + ": the system has no memory for it");
  }
}

OutputMemory::~OutputMemory() {
  if (stream() != nullptr) {
    try {
      close();  // only then is memory_ ours
    } catch (const Error&) {
      // Nobody wants it.
    }
  }
  std::free(memory_);
}

std::pair<char*, std::size_t> OutputMemory::take() {
  close();
  return {std::exchange(memory_, nullptr), size_};
}

}  // namespace gxr::image
