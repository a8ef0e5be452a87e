#pragma once

#include <algorithm>

#include "context.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/cuda/cuda_buffer.hpp"
#include "gxf/cuda/cuda_event.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/message.hpp"
#include "native.hpp"
#include "types.hpp"

// Streams of gxr by their numbers, and messages that name them.

namespace nvidia::gxf::layer {

/// Makes a stream known by its number, its address.
Target learn_stream(gxr::DeviceStream& stream);
/// The stream of that number; nullptr: none is known.
[[nodiscard]] gxr::DeviceStream* find_stream(gxf_uid_t cid);
/// The same as a handle needs it; false: none is known.
bool find_stream(gxf_uid_t cid, Target& target);
/// Waits for the events recorded on the stream, and drops them. Throws gxr::Error(Device).
void drop_events(gxr::DeviceStream& stream);

/// The part of gxr that it is.
gxr::cuda::CudaEvent& to_native(CudaEvent& event) noexcept;
const gxr::cuda::CudaEvent& to_native(const CudaEvent& event) noexcept;

inline bool is_stream_id(const gxr::detail::Part& part) noexcept {
  return part.id == gxr::TypeIdOf<gxr::cuda::CudaStreamId>::value;
}

/// Does the message say something of streams or events? Looks at the ids of its parts only.
inline bool has_cuda_parts(const gxr::Message& message) noexcept {
  return while_guarded(message, [&] {
    return std::any_of(message.begin(), message.end(), [](const gxr::detail::Part& part) {
      return is_stream_id(part) || part.id == gxr::TypeIdOf<gxr::cuda::CudaEvent>::value ||
             part.id == gxr::TypeIdOf<CudaBuffer>::value;
    });
  });
}

// GXF's codelets order themselves by the stream that a message names, gxr's by the work that its
// reference knows of. These two translate.

/// For a message that leaves a source: its reference knows of the work that the named stream has
/// been given so far, and its events can be waited for. An error for a number that is no stream's.
gxf_result_t translate_leaving(gxr::Message& message);

/// For a message that comes to a source. If it names a stream, what that is given from now on comes
/// behind the work, and nobody waits. Else the source could not know of the work: the call waits.
void translate_arriving(gxr::Message& message);
inline void order_arriving(gxr::Message& message) {
  if (message.has_device_work() || has_cuda_parts(message)) {
    translate_arriving(message);
  }
}

/// Makes the streams known that a message names, for one that is only looked at.
void learn_streams(const gxr::Message& message);

/// Gives a message without a CudaStreamId, whose reference knows of work, one of that name. False:
/// it knows of none.
bool add_stream_id(gxr::Message& message, const char* name);

}  // namespace nvidia::gxf::layer
