#pragma once

#include <memory>

#include <gst/gst.h>

#include "gxr/multimedia/audio_buffer.hpp"
#include "media/gstreamer.hpp"
#include "media/gstreamer/lent_picture.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {

/// Reads the form of the sound that the appsink gets; false for another stream.
bool read_sound_caps(GstCaps* caps, AudioBufferInfo& info);

/// The caps of such a sound.
Owned<GstCaps> caps_of_sound(const AudioBufferInfo& info);

/// The memory of a buffer, as long as the AudioBuffer lives. Takes over `buffer`. Throws
/// Error(InvalidData).
AudioBuffer audio_buffer_of(GstBuffer* buffer, AudioBufferInfo info,
                            const std::shared_ptr<Lent>& lent);

}  // namespace gxr::media
