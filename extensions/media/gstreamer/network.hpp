#pragma once

#include <gst/gst.h>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// Sets up the elements that reach a network, those that are in the pipeline and those that come
/// into it later. `options` must outlive the pipeline.
void set_network(GstElement* pipeline, const NetworkOptions& options);

}  // namespace gxr::media
