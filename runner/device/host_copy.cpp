#include "gxr/host_copy.hpp"

#include <algorithm>
#include <string>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// A stream for the time of one copy.
class CopyStream {
 public:
  CopyStream(DeviceRuntime& runtime, int device)
      : runtime_(runtime), stream_(runtime.acquire_stream({.device = device})) {}
  CopyStream(const CopyStream&) = delete;
  CopyStream& operator=(const CopyStream&) = delete;
  ~CopyStream() { runtime_.release_stream(stream_); }

  DeviceStream& operator*() const noexcept { return stream_; }

 private:
  DeviceRuntime& runtime_;
  DeviceStream& stream_;
};

void give_back(void* runtime, void* memory) noexcept {
  try {
    static_cast<DeviceRuntime*>(runtime)->free_pinned(memory, {});
  } catch (...) {
    // Memory that the runtime gave is only refused after the device has failed.
  }
}

/// Page-locked memory with the same content, for give_back().
void* make_host_copy(const void* from, std::size_t bytes, const DeviceWork& after) {
  DeviceRuntime& runtime = DeviceRuntime::get();
  void* const memory = runtime.allocate_pinned(bytes);
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory,
                "the system has no " + std::to_string(bytes) + " bytes of page-locked memory");
  }
  try {
    if (bytes > 0) {
      const CopyStream stream(runtime, std::max(runtime.device_of(from), 0));
      (*stream).wait_for(after);
      runtime.copy(memory, from, bytes, *stream);
      (*stream).wait_on_host((*stream).mark().number);
    }
  } catch (...) {
    give_back(&runtime, memory);
    throw;
  }
  return memory;
}

Strides strides_of(const Tensor& tensor) {
  Strides strides{};
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    strides[i] = tensor.stride(i);
  }
  return strides;
}

}  // namespace

Tensor copy_to_host(const Tensor& tensor, const DeviceWork& after) {
  void* const memory = make_host_copy(tensor.pointer(), tensor.span_bytes(), after);
  Tensor copy;
  const Strides strides = strides_of(tensor);
  copy.wrap(memory, tensor.shape(), tensor.element_type(), MemoryStorageType::Host,
            &DeviceRuntime::get(), give_back, tensor.bytes_per_element(), &strides);
  copy.set_recorded_storage_type(tensor.recorded_storage_type());
  return copy;
}

HostView::HostView(const Tensor& tensor)
    : HostView(tensor.pointer(), tensor.span_bytes(), tensor.storage_type()) {}

HostView::HostView(const void* pointer, std::size_t bytes, MemoryStorageType storage)
    : pointer_(static_cast<const std::byte*>(pointer)) {
  if (storage == MemoryStorageType::Device && bytes > 0) {
    copy_ = make_host_copy(pointer, bytes, {});
    pointer_ = static_cast<const std::byte*>(copy_);
  }
}

HostView::~HostView() {
  if (copy_ != nullptr) {
    give_back(&DeviceRuntime::get(), copy_);
  }
}

}  // namespace gxr
