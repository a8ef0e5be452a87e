#pragma once

#include <cstddef>

#include "gxr/allocator.hpp"
#include "gxr/export.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// Memory of any kind for the CPU to read: itself, or for device memory a page-locked copy, for
/// which the constructor waits. Work that still writes the memory must be done, as it is for
/// messages that Receiver::receive() gave to a codelet without gxr::cuda::Streams.
class GXR_API HostView {
 public:
  /// All bytes from the tensor's first to its last element. Throws Error(Device) when the copy
  /// fails, Error(OutOfMemory) without memory for it.
  explicit HostView(const Tensor& tensor);
  HostView(const void* pointer, std::size_t bytes, MemoryStorageType storage);
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  ~HostView();

  [[nodiscard]] const std::byte* pointer() const noexcept { return pointer_; }

 private:
  const std::byte* pointer_;
  void* copy_ = nullptr;
};

}  // namespace gxr
