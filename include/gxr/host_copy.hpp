#pragma once

#include <cstddef>

#include "gxr/allocator.hpp"
#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// A copy of a tensor in page-locked memory, with the same shape, element type and strides: for
/// processing on the CPU of what may lie in device memory. Returns when the copy is there; it is
/// made after `after`, the work that writes the tensor. That of messages from Receiver::receive()
/// is done, but for codelets with gxr::cuda::Streams.
///
/// Throws Error: NotSupported without a GPU, OutOfMemory, Device.
GXR_API Tensor copy_to_host(const Tensor& tensor, const DeviceWork& after = {});

/// Memory of any kind for the CPU to read: itself, or for device memory a page-locked copy, for
/// which the constructor waits. Work that still writes the memory must be done.
class GXR_API HostView {
 public:
  /// All bytes from the tensor's first to its last element. Throws what copy_to_host() throws.
  explicit HostView(const Tensor& tensor);
  /// `bytes` from `pointer` on, in memory of this kind. Throws what copy_to_host() throws.
  HostView(const void* pointer, std::size_t bytes, MemoryStorageType storage);
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  ~HostView();

  /// The first byte, valid as long as this object and the memory.
  [[nodiscard]] const std::byte* pointer() const noexcept { return pointer_; }

 private:
  const std::byte* pointer_;
  void* copy_ = nullptr;
};

}  // namespace gxr
