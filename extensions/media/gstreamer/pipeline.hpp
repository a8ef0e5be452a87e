#pragma once

#include <memory>
#include <string>

#include <gst/gst.h>

#include "media/gstreamer.hpp"

namespace gxr::media {

struct Unref {
  void operator()(gpointer object) const { gst_object_unref(object); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
};
template <class T>
using Owned = std::unique_ptr<T, Unref>;

/// Reads a pipeline in the words of gst-launch. Throws Error(InvalidParameter) with GStreamer's
/// words.
Owned<GstElement> parse_pipeline(const std::string& text);

/// The pipeline's element of this name; null when there is none.
Owned<GstElement> find_element(GstElement* pipeline, const char* name);

/// The text of a message of the kind ERROR or WARNING: "ELEMENT: TEXT (DETAIL)".
std::string text_of(GstMessage* message);

/// Of a message of the kind ERROR: refused access and plug-ins that are missing stay so.
Failing failing_of(GstMessage* message);

}  // namespace gxr::media
