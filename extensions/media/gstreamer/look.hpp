#pragma once

#include <chrono>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// See Gstreamer::look_at().
PictureFormat look_at(const CaptureOptions& options, std::chrono::nanoseconds limit);

}  // namespace gxr::media
