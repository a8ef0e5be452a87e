#pragma once

#include <string>

#include <gst/gst.h>
#include <gst/video/video.h>

#include "media/gstreamer.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {

/// A pipeline that ends in an appsink.
struct CapturePipeline {
  Owned<GstElement> pipeline;
  Owned<GstElement> sink;
};

/// Not started. The options must outlive it. Throws Error(InvalidParameter).
CapturePipeline make_capture_pipeline(const CaptureOptions& options);

/// Reads the form of the pictures that the appsink gets: false for no pictures. A raw picture of a
/// sensor lies in memory as a grey one does; `bayer` has its pattern.
bool read_caps(GstCaps* caps, GstVideoInfo& info, std::string& bayer);

/// Do the options name a part of the stream?
bool wants_part(const CaptureOptions& options);

/// Goes to the beginning of the part that the options name, which may be all. Throws
/// Error(OutOfRange or NotSupported).
void seek_to_part(GstElement* pipeline, const CaptureOptions& options);

}  // namespace gxr::media
