#pragma once

// Pictures and sounds in recordings: tensors of bytes that begin with a description, so that
// readers which know nothing of it read a tensor (docs/recordings.md).

#include <string_view>

#include "gxr/allocator.hpp"
#include "gxr/message.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/serialization/endpoint.hpp"

namespace gxr {

inline constexpr std::string_view kVideoPrefix = "gxr.VideoBuffer:";
inline constexpr std::string_view kAudioPrefix = "gxr.AudioBuffer:";

/// Return the bytes written. Throw Error(NotSupported) for memory that the CPU cannot read, and for
/// 2 GiB or more.
std::uint64_t write_video(const VideoBuffer& video, Endpoint& endpoint);
std::uint64_t write_audio(const AudioBuffer& audio, Endpoint& endpoint);

/// Reads a tensor and adds it to the message under `name`: as the picture or sound that it
/// describes, or as it is when the name has no such prefix or the description is none.
void read_tensor_part(std::string_view name, Allocator& allocator, Message& message,
                      Endpoint& endpoint);

}  // namespace gxr
