#pragma once

#include <cstdint>

#include "gxr/type_id.hpp"

namespace gxr::cuda {

/// A part of a message that owns a CUDA stream; opaque without the CUDA Toolkit.
struct CudaStream {
  void* handle = nullptr;
};

/// A part of a message that owns a CUDA event; opaque without the CUDA Toolkit.
struct CudaEvent {
  void* handle = nullptr;
};

/// A part of a message: the stream on which its data is being written.
struct CudaStreamId {
  std::int64_t stream_cid = 0;
};

/// A part of a message: device memory with the stream that fills it; opaque without the CUDA
/// Toolkit.
struct CudaBuffer {
  void* pointer = nullptr;
  std::uint64_t size = 0;
  void* stream = nullptr;
};

}  // namespace gxr::cuda

template <>
struct gxr::TypeIdOf<gxr::cuda::CudaStream> {
  static constexpr gxr::TypeId value{0x5683d692788411ebULL, 0x9338c3be62d576beULL};
};
template <>
struct gxr::TypeIdOf<gxr::cuda::CudaEvent> {
  static constexpr gxr::TypeId value{0xf5388d5ca70947e7ULL, 0x86c4171779bc64f3ULL};
};
template <>
struct gxr::TypeIdOf<gxr::cuda::CudaStreamId> {
  static constexpr gxr::TypeId value{0x7982aeac37f141beULL, 0xade86f00b4b5d47cULL};
};
template <>
struct gxr::TypeIdOf<gxr::cuda::CudaBuffer> {
  static constexpr gxr::TypeId value{0x3b1098305f1e11efULL, 0x8393c336b6b55546ULL};
};
