#pragma once

#include <memory>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// See Gstreamer::make_capture().
std::unique_ptr<Capture> make_capture(const CaptureOptions& options, CaptureListener& listener);

}  // namespace gxr::media
