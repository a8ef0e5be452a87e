// packets_cuda.so: the kernels for packets.so.

#include <cstdint>

#include <cuda_runtime.h>

#include "gxr/cuda/check.hpp"
#include "packets/device_kernels.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint32_t kFramesOfAPoll = 64;  // looked at, at most

__device__ std::int64_t now_ns() {
  std::int64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// By all threads of a block. `to` and `from` are aligned as a T if the sizes in front of them are.
template <class T>
__device__ std::uint32_t copy_as(std::byte* to, const std::byte* from, std::uint32_t bytes) {
  const std::uint32_t count = bytes / sizeof(T);
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    reinterpret_cast<T*>(to)[i] = reinterpret_cast<const T*>(from)[i];
  }
  return count * static_cast<std::uint32_t>(sizeof(T));
}

/// The frame's elements begin `header_bytes` behind an address that is aligned to 16; the other
/// side is.
__device__ void copy_block(std::byte* to, const std::byte* from, std::uint32_t bytes,
                           std::uint32_t header_bytes) {
  std::uint32_t done = 0;
  if (header_bytes % sizeof(uint4) == 0) {
    done = copy_as<uint4>(to, from, bytes);
  } else if (header_bytes % sizeof(std::uint64_t) == 0) {
    done = copy_as<std::uint64_t>(to, from, bytes);
  }
  copy_as<std::byte>(to + done, from + done, bytes - done);
}

/// One block.
__global__ void receive_frame(DeviceReception* state, FrameLayout layout, bool keep_late,
                              Doorbell bell, std::byte* out) {
  __shared__ const std::byte* frame;
  if (threadIdx.x == 0) {
    if (!state->is_open) {
      state->reception.reader = RingReader(state->ring);
      state->is_open = true;
    }
    frame = *bell.rung == *bell.taken
                ? state->reception.next(layout, keep_late, kFramesOfAPoll).data
                : nullptr;
  }
  __syncthreads();
  if (frame == nullptr) {
    return;
  }
  copy_block(out, frame + layout.header_bytes, layout.data_bytes, layout.header_bytes);
  __syncthreads();  // all have read the frame before it goes back
  if (threadIdx.x == 0) {
    state->reception.finish();
    *bell.rung = *bell.rung + 1;
  }
}

/// One block.
__global__ void send_frame(DeviceTransmission* state, FrameLayout layout, const std::byte* in) {
  __shared__ std::byte* frame;
  Transmission& to = state->transmission;
  if (threadIdx.x == 0) {
    if (!state->is_open) {
      to.writer = RingWriter(state->ring);
      state->is_open = true;
    }
    frame = to.writer.room() > 0 ? to.writer.payload() : nullptr;
  }
  __syncthreads();
  if (frame != nullptr) {
    for (std::uint32_t i = threadIdx.x; i < layout.header_bytes; i += blockDim.x) {
      frame[i] = std::byte{0};
    }
    copy_block(frame + layout.header_bytes, in, layout.data_bytes, layout.header_bytes);
  }
  __syncthreads();  // all have written before it is published
  if (threadIdx.x != 0) {
    return;
  }
  const std::uint64_t number = to.number++;
  if (frame == nullptr) {
    to.writer.drop(1);
    ++to.dropped;
    return;
  }
  layout.number.write(frame, number);
  __threadfence_system();
  to.writer.publish(layout.bytes(), now_ns());
  ++to.sent;
}

void* pin(void* memory, std::size_t bytes) {
  check(cudaHostRegister(memory, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped),
        "cudaHostRegister");
  void* on_device = nullptr;
  check(cudaHostGetDevicePointer(&on_device, memory, 0), "cudaHostGetDevicePointer");
  return on_device;
}

void unpin(void* memory) { check(cudaHostUnregister(memory), "cudaHostUnregister"); }

void receive(DeviceReception* state, const FrameLayout& layout, bool keep_late,
             const Doorbell& bell, std::byte* out, CUstream_st* stream) {
  receive_frame<<<1, kThreads, 0, stream>>>(state, layout, keep_late, bell, out);
  check_launch("receive");
}

void send(DeviceTransmission* state, const FrameLayout& layout, const std::byte* in,
          CUstream_st* stream) {
  send_frame<<<1, kThreads, 0, stream>>>(state, layout, in);
  check_launch("send");
}

}  // namespace
}  // namespace gxr::cuda

extern "C" __attribute__((visibility("default"))) const gxr::cuda::DeviceKernels*
gxr_packets_device_kernels() {
  static const gxr::cuda::DeviceKernels once{gxr::cuda::pin, gxr::cuda::unpin, gxr::cuda::receive,
                                             gxr::cuda::send};
  return &once;
}
