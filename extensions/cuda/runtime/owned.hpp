#pragma once

// CUDA objects with an owner: each is destroyed with its Owned; EventRef and StreamRef, CUDA's own
// handles, do not own.

#include <utility>

#include <cuda_runtime_api.h>

#include "cuda_call.hpp"

namespace gxr::cuda {

using EventRef = cudaEvent_t;
using StreamRef = cudaStream_t;
using PoolRef = cudaMemPool_t;

template <class Handle, cudaError_t (*kDestroy)(Handle)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) noexcept : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != Handle{}) {
      static_cast<void>(kDestroy(handle_));  // fails only after a device has failed
    }
  }
  [[nodiscard]] Handle get() const noexcept { return handle_; }
  /// It has no owner any more.
  void release() noexcept { handle_ = Handle{}; }

 private:
  Handle handle_{};
};

using Event = Owned<EventRef, cudaEventDestroy>;
using OwnedStream = Owned<StreamRef, cudaStreamDestroy>;
using MemoryPoolHandle = Owned<PoolRef, cudaMemPoolDestroy>;
using GraphHandle = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// An event of the current device that measures no time.
inline Event make_event() {
  EventRef event = nullptr;
  cuda_check("cudaEventCreateWithFlags", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return Event(event);
}

}  // namespace gxr::cuda
