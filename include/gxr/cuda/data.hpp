#pragma once

#include <cstdint>
#include <memory>

#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/message.hpp"
#include "gxr/type_id.hpp"

// What cudaEvent_t points to.
struct CUevent_st;

namespace gxr::cuda {

// Parts of messages that GXF's codelets exchange. gxr's own need none of them: a message knows the
// work that writes it, see Message::device_work().

/// A stream that a message carries along.
struct CudaStream {
  DeviceStream* stream = nullptr;  ///< a stream of this process; null: none
};

/// Work that somebody behind may wait for: what a stream had been given when the event was made,
/// see Streams::event().
struct CudaEvent {
  DeviceWork work;  ///< what to wait for
  /// CUDA's own event, for those who ask CUDA: `work` is behind it. Null: none was asked for.
  CUevent_st* event = nullptr;
  int device = -1;              ///< number of the event's GPU
  std::shared_ptr<void> owner;  ///< destroys the event; null: somebody else does
};

/// The stream on which the message's data is being written.
struct CudaStreamId {
  DeviceStream* stream = nullptr;  ///< a stream of this process; null: none
};

/// The work that still writes a message's data: that of its producer, or of the stream that a
/// CudaStreamId in it names; that is kept with the message, so that every look at it waits for the
/// same work.
GXR_API DeviceWork work_behind(const Message& message);

/// Says that work of `stream` uses all memory of tensors, pictures and sounds that the message
/// brings along.
GXR_API void note_use(const Message& message, DeviceStream& stream);

/// Memory that work of a stream fills.
struct CudaBuffer {
  void* pointer = nullptr;  ///< where the memory begins
  std::uint64_t size = 0;   ///< bytes
  DeviceWork work;          ///< that fills it
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
