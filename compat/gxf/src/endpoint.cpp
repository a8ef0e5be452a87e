#include "gxf/serialization/endpoint.hpp"

#include <limits>
#include <string>

#include "adapters.hpp"
#include "common/logger.hpp"
#include "gxf/serialization/file.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/serialization/serialization_buffer.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "native.hpp"
#include "serialization.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

void write_all(gxf::Endpoint& endpoint, const void* data, std::size_t size) {
  const auto* from = static_cast<const char*>(data);
  while (size > 0) {
    std::size_t written = 0;
    const gxf_result_t code = endpoint.write_abi(from, size, &written);
    if (code != GXF_SUCCESS || written == 0 || written > size) {
      throw gxr::Error(gxr::ErrorCode::InputOutput,
                       std::string("write_abi() returned ") + GxfResultStr(code) + " and wrote " +
                           std::to_string(written) + " of " + std::to_string(size) + " bytes");
    }
    from += written;
    size -= written;
  }
}

std::size_t read_most(gxf::Endpoint& endpoint, void* data, std::size_t size) {
  auto* const to = static_cast<char*>(data);
  std::size_t total = 0;
  while (total < size) {
    std::size_t got = 0;
    const gxf_result_t code = endpoint.read_abi(to + total, size - total, &got);
    if (code != GXF_SUCCESS || got > size - total) {
      throw gxr::Error(gxr::ErrorCode::InputOutput,
                       std::string("read_abi() returned ") + GxfResultStr(code) + " and read " +
                           std::to_string(got) + " of " + std::to_string(size - total) + " bytes");
    }
    if (got == 0) {
      break;
    }
    total += got;
  }
  return total;
}

/// An endpoint of a source does not say how much is left.
std::uint64_t readable_of(gxf::Endpoint& endpoint) {
  if (const auto* const stream = dynamic_cast<const FileStream*>(&endpoint); stream != nullptr) {
    return stream->readable();
  }
  return endpoint.isReadAvailable() ? std::numeric_limits<std::uint64_t>::max() : 0;
}

/// An endpoint of a source that the application's file names.
class EndpointAdapter final : public AdapterOf<gxr::Endpoint> {
 public:
  explicit EndpointAdapter(gxf::Endpoint& endpoint) noexcept
      : AdapterOf(endpoint), endpoint_(endpoint) {}

  void write(const void* data, std::size_t size) override { write_all(endpoint_, data, size); }
  std::size_t read(void* data, std::size_t size) override {
    return read_most(endpoint_, data, size);
  }
  [[nodiscard]] std::uint64_t readable() const override { return readable_of(endpoint_); }
  [[nodiscard]] gxf::Endpoint& source() const noexcept { return endpoint_; }

 private:
  gxf::Endpoint& endpoint_;
};

}  // namespace

void SourceEndpoint::write(const void* data, std::size_t size) { write_all(endpoint_, data, size); }
std::size_t SourceEndpoint::read(void* data, std::size_t size) {
  return read_most(endpoint_, data, size);
}
std::uint64_t SourceEndpoint::readable() const { return readable_of(endpoint_); }

EndpointForGxr::EndpointForGxr(gxf::Endpoint& endpoint) noexcept {
  auto* const native = dynamic_cast<NativeEndpoint*>(&endpoint);
  endpoint_ = native != nullptr ? &native->native() : &own_.emplace(endpoint);
}

EndpointForSource::EndpointForSource(gxr::Endpoint& endpoint) noexcept {
  if (auto* const lent = dynamic_cast<SourceEndpoint*>(&endpoint); lent != nullptr) {
    endpoint_ = &lent->source();
  } else if (auto* const adapter = dynamic_cast<EndpointAdapter*>(&endpoint); adapter != nullptr) {
    endpoint_ = &adapter->source();
  } else {
    endpoint_ = &own_.emplace(endpoint);
  }
}

}  // namespace layer

Endpoint::~Endpoint() = default;
gxf_result_t Endpoint::is_write_available_abi() { return GXF_SUCCESS; }
gxf_result_t Endpoint::is_read_available_abi() { return GXF_SUCCESS; }
gxf_result_t Endpoint::write_ptr_abi(const void*, size_t, MemoryStorageType) {
  return GXF_NOT_IMPLEMENTED;
}
gxr::Component* Endpoint::make_adapter() { return new layer::EndpointAdapter(*this); }

bool Endpoint::isWriteAvailable() { return is_write_available_abi() == GXF_SUCCESS; }
bool Endpoint::isReadAvailable() { return is_read_available_abi() == GXF_SUCCESS; }

Expected<size_t> Endpoint::write(const void* data, size_t size) {
  size_t written = 0;
  const gxf_result_t code = write_abi(data, size, &written);
  return ExpectedOrCode(code, written);
}

Expected<size_t> Endpoint::read(void* data, size_t size) {
  size_t got = 0;
  const gxf_result_t code = read_abi(data, size, &got);
  return ExpectedOrCode(code, got);
}

Expected<void> Endpoint::write_ptr(const void* pointer, size_t size, MemoryStorageType type) {
  return ExpectedOrCode(write_ptr_abi(pointer, size, type));
}

// --- endpoints of gxr

NativeEndpoint::~NativeEndpoint() = default;

gxf_result_t NativeEndpoint::is_read_available_abi() {
  return layer::guarded([&] { return endpoint_.readable() > 0 ? GXF_SUCCESS : GXF_FAILURE; });
}

gxf_result_t NativeEndpoint::write_abi(const void* data, size_t size, size_t* bytes_written) {
  if (bytes_written == nullptr || (data == nullptr && size > 0)) {
    return GXF_ARGUMENT_NULL;
  }
  *bytes_written = 0;
  return layer::guarded([&] {
    endpoint_.write(data, size);
    *bytes_written = size;
    return GXF_SUCCESS;
  });
}

gxf_result_t NativeEndpoint::read_abi(void* data, size_t size, size_t* bytes_read) {
  if (bytes_read == nullptr || (data == nullptr && size > 0)) {
    return GXF_ARGUMENT_NULL;
  }
  *bytes_read = 0;
  return layer::guarded([&] {
    *bytes_read = endpoint_.read(data, size);
    return *bytes_read == size ? GXF_SUCCESS : GXF_FAILURE;
  });
}

SerializationBuffer::SerializationBuffer(gxr::SerializationBuffer& buffer) noexcept
    : NativeEndpoint(buffer), buffer_(buffer) {}
SerializationBuffer::~SerializationBuffer() = default;
MemoryStorageType SerializationBuffer::storage_type() const {
  return static_cast<MemoryStorageType>(buffer_.storage_type());
}
const byte* SerializationBuffer::data() const {
  return reinterpret_cast<const byte*>(buffer_.data());
}
size_t SerializationBuffer::capacity() const { return buffer_.capacity(); }
size_t SerializationBuffer::size() const { return buffer_.readable(); }
void SerializationBuffer::reset() { buffer_.reset(); }

File::File(gxr::File& file) noexcept : NativeEndpoint(file), file_(file) {}
File::~File() = default;

Expected<void> File::open(const char* path, const char* mode) {
  return ExpectedOrCode(layer::guarded([&] {
    if (path == nullptr && mode == nullptr) {
      file_.initialize();
      return file_.is_open() ? GXF_SUCCESS : GXF_ARGUMENT_NULL;  // its parameters name no file
    }
    if (path == nullptr || mode == nullptr) {
      GXF_LOG_ERROR("File::open(): a path needs a mode, and a mode needs a path");
      return GXF_ARGUMENT_NULL;
    }
    file_.open(path, mode);
    return GXF_SUCCESS;
  }));
}

Expected<void> File::close() {
  return ExpectedOrCode(layer::guarded([&] {
    file_.close();
    return GXF_SUCCESS;
  }));
}

Expected<void> File::flush() {
  return ExpectedOrCode(layer::guarded([&] {
    file_.flush();
    return GXF_SUCCESS;
  }));
}

Expected<void> File::seek(int offset, int origin) {
  return ExpectedOrCode(layer::guarded([&] {
    std::uint64_t base = 0;
    if (origin == SEEK_CUR || origin == SEEK_END) {
      base = file_.position() + (origin == SEEK_END ? file_.readable() : 0);
    } else if (origin != SEEK_SET) {
      return GXF_ARGUMENT_INVALID;
    }
    const std::int64_t target = static_cast<std::int64_t>(base) + offset;
    if (target < 0) {
      return GXF_ARGUMENT_OUT_OF_RANGE;
    }
    file_.seek(static_cast<std::uint64_t>(target));
    return GXF_SUCCESS;
  }));
}

Expected<size_t> File::tell() {
  size_t position = 0;
  const gxf_result_t code = layer::guarded([&] {
    position = file_.position();
    return GXF_SUCCESS;
  });
  return ExpectedOrCode(code, position);
}

bool File::eof() { return isOpen() && !isReadAvailable(); }
bool File::isOpen() { return file_.is_open(); }
const char* File::path() { return file_.is_open() ? file_.path().c_str() : ""; }

}  // namespace nvidia::gxf
