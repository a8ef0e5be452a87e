#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/cuda/cuda_types.hpp"

namespace nvidia {
namespace gxf {

/// A CUDA event in a message. The same part as gxr::cuda::CudaEvent, which is what an object of
/// this class contains.
///
/// An event that gxr's own components made may have no cudaEvent_t until event() asks for it.
class GXR_GXF_API CudaEvent {
 public:
  CudaEvent();
  CudaEvent(CudaEvent&& other) noexcept;
  /// The event that this object had is freed.
  CudaEvent& operator=(CudaEvent&& other) noexcept;
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  /// As deinit().
  ~CudaEvent();

  /// Makes an event with the flags of cudaEventCreateWithFlags(), on the thread's current GPU
  /// unless `dev_id` says which. The event before is freed.
  Expected<void> init(std::uint32_t flags = 0, int dev_id = -1);
  /// Takes an event over, which `free` gets in the end; nullptr: it stays the caller's.
  Expected<void> initWithEvent(cudaEvent_t event, int dev_id = -1,
                               std::function<void(cudaEvent_t)> free = nullptr);
  /// Frees the event; without one nothing happens.
  Expected<void> deinit();
  /// GXF_UNINITIALIZED_VALUE without an event.
  Expected<cudaEvent_t> event() const;
  /// Number of the GPU; -1 without an event.
  int dev_id() const;

 private:
  alignas(8) unsigned char native_[48];
};

}  // namespace gxf
}  // namespace nvidia
