#include "gxr/host_copy.hpp"

#include <algorithm>
#include <string>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

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
      const LeasedStream stream({.device = std::max(runtime.device_of(from), 0)});
      stream.get().wait_for(after);
      runtime.copy(memory, from, bytes, stream.get());
      stream.finish();
    }
  } catch (...) {
    give_back(&runtime, memory);
    throw;
  }
  return memory;
}

}  // namespace

Tensor copy_to_host(const Tensor& tensor, const DeviceWork& after) {
  void* const memory = make_host_copy(tensor.pointer(), tensor.span_bytes(), after);
  Tensor copy;
  copy.wrap(memory, tensor.shape(), tensor.element_type(), MemoryStorageType::Host,
            &DeviceRuntime::get(), give_back, tensor.bytes_per_element(), &tensor.strides());
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
