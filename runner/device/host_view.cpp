#include "gxr/host_view.hpp"

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// A stream for one copy.
class CopyStream {
 public:
  CopyStream(DeviceRuntime& runtime, int device)
      : runtime_(runtime), stream_(runtime.acquire_stream({.device = device})) {}
  CopyStream(const CopyStream&) = delete;
  CopyStream& operator=(const CopyStream&) = delete;
  ~CopyStream() { runtime_.release_stream(stream_); }

  [[nodiscard]] DeviceStream& get() const noexcept { return stream_; }

 private:
  DeviceRuntime& runtime_;
  DeviceStream& stream_;
};

}  // namespace

HostView::HostView(const Tensor& tensor)
    : HostView(tensor.pointer(), tensor.span_bytes(), tensor.storage_type()) {}

HostView::HostView(const void* pointer, std::size_t bytes, MemoryStorageType storage)
    : pointer_(static_cast<const std::byte*>(pointer)) {
  if (storage != MemoryStorageType::Device || bytes == 0) {
    return;
  }
  DeviceRuntime& runtime = DeviceRuntime::get();
  const CopyStream stream(runtime, runtime.device_of(pointer));
  copy_ = runtime.allocate_pinned(bytes);
  if (copy_ == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "the system has no " + std::to_string(bytes) +
                                            " bytes of page-locked memory for a copy of device "
                                            "memory");
  }
  try {
    runtime.copy(copy_, pointer, bytes, stream.get());
    stream.get().wait_on_host(stream.get().mark().number);
  } catch (...) {
    runtime.free_pinned(copy_, {});
    throw;
  }
  pointer_ = static_cast<const std::byte*>(copy_);
}

HostView::~HostView() {
  if (copy_ != nullptr) {
    try {
      DeviceRuntime::get().free_pinned(copy_, {});
    } catch (const std::exception&) {
      // Not given back: lost, and nothing else.
    }
  }
}

}  // namespace gxr
