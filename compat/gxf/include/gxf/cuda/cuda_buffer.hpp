#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "gxf/core/expected.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/cuda/cuda_allocator.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/std/memory_buffer.hpp"

namespace nvidia {
namespace gxf {

/// The name of a CudaBuffer in a message, for those who have no other.
constexpr const char* kDefaultCudaBufferName = "cuda_buffer";

/// Device memory in the order of a stream's work. A message with one that is published gets a
/// gxr::cuda::CudaBuffer of the same name, for which gxr's CudaBufferAvailableSchedulingTerm looks.
class GXR_GXF_API CudaBuffer : public MemoryBuffer {
 public:
  enum class State : std::int32_t { UNSET = 0, CALLBACK_REGISTERED = 1, DATA_AVAILABLE = 2 };
  using callback_t = void (*)(void*);

  CudaBuffer() = default;
  CudaBuffer(CudaBuffer&& other) noexcept;
  CudaBuffer& operator=(CudaBuffer&& other) noexcept;
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;
  ~CudaBuffer() override;

  /// Other memory, for work of `stream`. Without one the buffer takes a stream of the pool, and
  /// gives it back with the memory.
  Expected<void> resizeAsync(Handle<CudaAllocator> allocator, Handle<CudaStreamPool> stream_pool,
                             std::uint64_t size,
                             Handle<CudaStream> stream = Handle<CudaStream>::Null());
  State state() const;
  /// Null without resizeAsync().
  Handle<CudaStream> stream() const;
  Handle<CudaStreamPool> streamPool() const;
  /// The stream, which the caller gives back from now on.
  Expected<Handle<CudaStream>> transferStreamOwnership();
  /// Calls the function when the work that the stream has so far is done; the state is
  /// DATA_AVAILABLE after that. CUDA must not be called in it.
  Expected<void> registerCallbackOnStream(callback_t function, void* data);

 private:
  struct Shared {
    std::atomic<State> state{State::UNSET};
    Handle<CudaStream> stream;
    Handle<CudaStreamPool> pool;
    bool gives_stream_back = false;
  };
  std::shared_ptr<Shared> shared_;
};

}  // namespace gxf
}  // namespace nvidia
