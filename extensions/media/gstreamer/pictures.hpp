#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <gst/gst.h>
#include <gst/video/video.h>

#include "media/gstreamer.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {

/// GStreamer's description of such pictures.
GstVideoInfo video_info_of(const PictureFormat& format);

/// Their caps.
Owned<GstCaps> caps_of(const PictureFormat& format, const GstVideoInfo& info);

/// A buffer with this picture: its own memory, kept by `owner`, or a copy when its rows do not lie
/// as GStreamer has them. Throws Error(OutOfMemory).
GstBuffer* buffer_of(const GstVideoInfo& info, const PictureMemory& picture,
                     std::shared_ptr<const void> owner);

/// A buffer with this memory, kept by `owner`.
GstBuffer* wrap(const std::byte* data, std::uint64_t bytes, std::shared_ptr<const void> owner);

/// Sets the bit rate of the element `gxr_encoder`, where there is one.
void set_sound_bitrate(GstElement* pipeline, const RecordingOptions& options);
void set_bitrate(GstElement* pipeline, const RecordingOptions& options,
                 const PictureFormat& format);

}  // namespace gxr::media
