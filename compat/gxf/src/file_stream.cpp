#include "gxf/serialization/file_stream.hpp"

#include <cerrno>
#include <cstdio>
#include <utility>

#include <sys/stat.h>

#include "common/logger.hpp"
#include "gxr/plain_text.hpp"

namespace nvidia::gxf {
namespace {

Expected<void> fail(const char* what, const std::string& path) {
  GXF_LOG_ERROR("file '%s' cannot be %s: %s", path.c_str(), what,
                gxr::system_error_text(errno).c_str());
  return Unexpected{GXF_FAILURE};
}

}  // namespace

/// One of the two.
struct FileStream::OneFile {
  std::string path;
  std::FILE* stream = nullptr;

  Expected<void> open(const char* mode) {
    if (path.empty()) {
      return Success;
    }
    stream = std::fopen(path.c_str(), mode);
    return stream != nullptr ? Success : fail("opened", path);
  }
  Expected<void> close() {
    std::FILE* const closing = std::exchange(stream, nullptr);
    return closing == nullptr || std::fclose(closing) == 0 ? Success : fail("written", path);
  }
  Expected<void> seek(size_t offset) {
    if (stream == nullptr) {
      return Unexpected{GXF_UNINITIALIZED_VALUE};
    }
    // The file may have changed since its bytes were fetched: fflush() drops those.
    return std::fflush(stream) == 0 && fseeko(stream, static_cast<off_t>(offset), SEEK_SET) == 0
               ? Success
               : fail("positioned", path);
  }
  Expected<size_t> tell() const {
    const off_t offset = stream != nullptr ? ftello(stream) : -1;
    if (offset < 0) {
      return Unexpected{GXF_FAILURE};
    }
    return static_cast<size_t>(offset);
  }
};

struct FileStream::Files {
  OneFile input;
  OneFile output;

  ~Files() {
    static_cast<void>(input.close());
    static_cast<void>(output.close());
  }
};

FileStream::FileStream() : FileStream(std::string(), std::string()) {}
FileStream::FileStream(std::string input_file_path, std::string output_file_path)
    : files_(new Files{{std::move(input_file_path)}, {std::move(output_file_path)}}) {}
FileStream::FileStream(FileStream&& other) noexcept : FileStream() { files_.swap(other.files_); }
FileStream& FileStream::operator=(FileStream&& other) noexcept {
  files_.swap(other.files_);
  return *this;
}
FileStream::~FileStream() = default;

gxf_result_t FileStream::is_write_available_abi() {
  return files_->output.stream != nullptr ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t FileStream::is_read_available_abi() {
  return readable() > 0 ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t FileStream::write_abi(const void* data, size_t size, size_t* bytes_written) {
  if (bytes_written == nullptr || (data == nullptr && size > 0)) {
    return GXF_ARGUMENT_NULL;
  }
  *bytes_written = 0;
  if (files_->output.stream == nullptr) {
    GXF_LOG_ERROR("FileStream: no file is open for writing");
    return GXF_UNINITIALIZED_VALUE;
  }
  *bytes_written = size > 0 ? std::fwrite(data, 1, size, files_->output.stream) : 0;
  return *bytes_written == size ? GXF_SUCCESS : ToResultCode(fail("written", files_->output.path));
}

gxf_result_t FileStream::read_abi(void* data, size_t size, size_t* bytes_read) {
  if (bytes_read == nullptr || (data == nullptr && size > 0)) {
    return GXF_ARGUMENT_NULL;
  }
  *bytes_read = 0;
  if (files_->input.stream == nullptr) {
    GXF_LOG_ERROR("FileStream: no file is open for reading");
    return GXF_UNINITIALIZED_VALUE;
  }
  std::FILE* const stream = files_->input.stream;
  *bytes_read = size > 0 ? std::fread(data, 1, size, stream) : 0;
  if (*bytes_read == size) {
    return GXF_SUCCESS;
  }
  return std::ferror(stream) != 0 ? ToResultCode(fail("read", files_->input.path)) : GXF_FAILURE;
}

Expected<void> FileStream::open() {
  if (files_->input.path.empty() && files_->output.path.empty()) {
    GXF_LOG_ERROR("FileStream: there is no path to open");
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  Expected<void> result = close();
  if (result) {
    result = files_->input.open("rb");
  }
  if (result) {
    result = files_->output.open("wb");
  }
  if (!result) {
    static_cast<void>(files_->input.close());
  }
  return result;
}

Expected<void> FileStream::close() { return files_->input.close() & files_->output.close(); }

Expected<void> FileStream::flush() {
  if (files_->output.stream == nullptr) {
    return Success;
  }
  return std::fflush(files_->output.stream) == 0 ? Success : fail("written", files_->output.path);
}

Expected<void> FileStream::clear() {
  for (const OneFile* const file : {&files_->input, &files_->output}) {
    if (file->stream != nullptr) {
      std::clearerr(file->stream);
    }
  }
  return Success;
}

Expected<void> FileStream::setReadOffset(size_t offset) { return files_->input.seek(offset); }
Expected<size_t> FileStream::getReadOffset() { return files_->input.tell(); }
Expected<void> FileStream::setWriteOffset(size_t offset) { return files_->output.seek(offset); }
Expected<size_t> FileStream::getWriteOffset() { return files_->output.tell(); }

uint64_t FileStream::readable() const noexcept {
  struct stat about {};
  if (files_->input.stream == nullptr || fstat(fileno(files_->input.stream), &about) != 0) {
    return 0;
  }
  const off_t offset = ftello(files_->input.stream);
  return offset < 0 || offset >= about.st_size ? 0 : static_cast<uint64_t>(about.st_size - offset);
}

}  // namespace nvidia::gxf
