#pragma once

#include <gst/gst.h>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// Sets up the elements that reach a network, those that are in the pipeline and those that come
/// into it later. Of those that its text names, one gets the user and the password: the only one
/// that can, or the one called `gxr_login`. Throws Error(InvalidParameter) when there is none, or
/// several. `options` must outlive the pipeline.
void set_network(GstElement* pipeline, const NetworkOptions& options);

}  // namespace gxr::media
