#pragma once

#include <memory>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// See Gstreamer::make_serving().
std::unique_ptr<Serving> make_serving(const ServingOptions& options, RecordingListener& listener);

}  // namespace gxr::media
