#include "gxr/serialization/endpoint.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fcntl.h>

#include "gxr/error.hpp"
#include "recording/file_stream.hpp"

namespace gxr {
namespace {

struct OpenMode {
  const char* text;
  int flags;
};

constexpr std::array<OpenMode, 6> kModes = {{
    {"r", O_RDONLY},
    {"r+", O_RDWR},
    {"w", O_WRONLY | O_CREAT | O_TRUNC},
    {"w+", O_RDWR | O_CREAT | O_TRUNC},
    {"a", O_WRONLY | O_CREAT | O_APPEND},
    {"a+", O_RDWR | O_CREAT | O_APPEND},
}};

int flags_of(const std::string& mode) {
  std::string plain = mode;
  std::erase(plain, 'b');
  const auto found = std::find_if(kModes.begin(), kModes.end(),
                                  [&](const OpenMode& known) { return plain == known.text; });
  if (found == kModes.end()) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + mode + "' is no file mode; there are rb, rb+, wb, wb+, ab and ab+");
  }
  return found->flags;
}

}  // namespace

Endpoint::~Endpoint() = default;

void Endpoint::read_all(void* data, std::size_t size, const char* what) {
  const std::size_t got = read(data, size);
  if (got < size) {
    throw Error(ErrorCode::InvalidData, std::string(what) + " is cut off: " + std::to_string(got) +
                                            " of " + std::to_string(size) + " bytes are there");
  }
}

SerializationBuffer::~SerializationBuffer() = default;

void SerializationBuffer::declare(Interface& interface) {
  interface.parameter(allocator_, "allocator", "Gives the memory");
  interface.parameter(buffer_size_, "buffer_size", "Bytes that the buffer can hold")
      .default_value(4096)
      .minimum(1)
      .unit("bytes");
  interface.parameter(storage_type_, "storage_type", "Where the memory lies")
      .default_value(2)
      .choices({{"0", "host: page-locked"}, {"1", "device"}, {"2", "system"}});
}

void SerializationBuffer::initialize() {
  memory_ = static_cast<std::byte*>(
      allocator_->allocate(*buffer_size_, static_cast<MemoryStorageType>(*storage_type_)));
  capacity_ = *buffer_size_;
  reset();
}

void SerializationBuffer::deinitialize() {
  allocator_->free(std::exchange(memory_, nullptr));
  capacity_ = 0;
  reset();
}

void SerializationBuffer::write(const void* data, std::size_t size) {
  if (size > capacity_ - written_) {
    throw Error(ErrorCode::NotAvailable,
                "'" + full_name() + "': no room for " + std::to_string(size) + " bytes; " +
                    std::to_string(written_) + " of " + std::to_string(capacity_) +
                    " are in use (buffer_size)");
  }
  if (size > 0) {
    std::memcpy(memory_ + written_, data, size);
  }
  written_ += size;
}

std::size_t SerializationBuffer::read(void* data, std::size_t size) {
  const std::size_t take = std::min(size, written_ - read_);
  if (take > 0) {
    std::memcpy(data, memory_ + read_, take);
  }
  read_ += take;
  return take;
}

File::File() = default;
File::~File() = default;

void File::declare(Interface& interface) {
  interface.parameter(
      allocator_, "allocator", "Kept for GXF's files",
      "GXF takes the buffer of the file from it; gxr's buffer grows with what is written.");
  interface
      .parameter(file_path_, "file_path", "File to open at the start",
                 "Empty: a component opens one.")
      .default_value({});
  interface
      .parameter(file_mode_, "file_mode", "How to open it",
                 "As in C: rb reads, wb empties or makes the file, ab appends; + allows both.")
      .default_value("wb+");
  interface
      .parameter(buffer_size_, "buffer_size", "Bytes that gather before they are written",
                 "Pieces of 128 KB and more are written at once, without a copy.")
      .default_value(FileStream::kDefaultBuffer)
      .minimum(1)
      .unit("bytes");
}

void File::initialize() {
  if (!file_path_->path.empty()) {
    open(file_path_->path, *file_mode_);
  }
}

void File::deinitialize() { close(); }

void File::open(const std::string& path, const std::string& mode) {
  close();
  const auto& size = buffer_size_.try_get();
  stream_ =
      std::make_unique<FileStream>(path, flags_of(mode), size ? *size : FileStream::kDefaultBuffer);
}

FileStream& File::stream() const {
  if (stream_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "no file is open");
  }
  return *stream_;
}

void File::write(const void* data, std::size_t size) { stream().write(data, size); }
std::size_t File::read(void* data, std::size_t size) { return stream().read(data, size); }
void File::flush() { stream().flush(); }
void File::seek(std::uint64_t position) { stream().seek(position); }
std::uint64_t File::position() const { return stream().position(); }
const std::string& File::path() const { return stream().path(); }

std::uint64_t File::readable() const {
  const std::uint64_t size = stream().size();
  return size - std::min(size, stream().position());
}

void File::close() {
  if (const auto closing = std::exchange(stream_, nullptr)) {
    closing->close();
  }
}

}  // namespace gxr
