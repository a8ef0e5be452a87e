#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>

#include "cuda_call.hpp"
#include "gxr/allocator.hpp"

namespace gxr::cuda {

/// Memory that other objects of CUDA share with the host or the GPU, given back by the Runtime,
/// which waits with that until no loop runs.
class RuntimeMemory {
 public:
  RuntimeMemory() = default;
  RuntimeMemory(std::size_t bytes, MemoryStorageType storage, int device);
  RuntimeMemory(RuntimeMemory&& other) noexcept;
  RuntimeMemory& operator=(RuntimeMemory&& other) noexcept;
  ~RuntimeMemory();
  [[nodiscard]] std::byte* get() const noexcept { return memory_; }

 private:
  std::byte* memory_ = nullptr;
  MemoryStorageType storage_ = MemoryStorageType::Device;
};

/// To device memory, in the order of a stream; from memory that is free when this returns.
template <class T>
void upload(const T* to, const std::vector<T>& from, cudaStream_t stream) {
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(const_cast<T*>(to), from.data(), from.size() * sizeof(T),
                             cudaMemcpyHostToDevice, stream));
}

}  // namespace gxr::cuda
