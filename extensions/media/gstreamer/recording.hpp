#pragma once

#include <memory>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// See Gstreamer::make_recording().
std::unique_ptr<Recording> make_recording(const RecordingOptions& options,
                                          RecordingListener& listener);

}  // namespace gxr::media
