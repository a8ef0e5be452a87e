// A plug-in of GStreamer for tests: the element scarcesrc, a source of 64 x 48 RGB pictures that
// has six buffers in all. The bytes of a picture are its number.

#include <cstring>

#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>
#include <gst/video/gstvideopool.h>
#include <gst/video/video.h>

#include "password_sink.hpp"

#define PACKAGE "gxr"

namespace {

constexpr guint kBuffers = 6;
constexpr guint kSize = 64 * 48 * 3;

struct ScarceSource {
  GstPushSrc parent;
  guint8 number;
};
struct ScarceSourceClass {
  GstPushSrcClass parent;
};

G_DEFINE_TYPE(ScarceSource, scarce_source, GST_TYPE_PUSH_SRC)

gboolean decide_allocation(GstBaseSrc* source, GstQuery* query) {
  GstBufferPool* const pool = gst_video_buffer_pool_new();
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  GstStructure* const config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, caps, kSize, kBuffers, kBuffers);
  gst_buffer_pool_set_config(pool, config);
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  gst_query_add_allocation_pool(query, pool, kSize, kBuffers, kBuffers);
  gst_object_unref(pool);
  return GST_BASE_SRC_CLASS(scarce_source_parent_class)->decide_allocation(source, query);
}

GstFlowReturn fill(GstPushSrc* source, GstBuffer* buffer) {
  auto& self = *reinterpret_cast<ScarceSource*>(source);
  GST_BUFFER_PTS(buffer) = self.number * 10 * GST_MSECOND;
  gst_buffer_memset(buffer, 0, self.number++, kSize);
  return GST_FLOW_OK;
}

void scarce_source_init(ScarceSource* self) {
  gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
}

void scarce_source_class_init(ScarceSourceClass* klass) {
  auto* const element = GST_ELEMENT_CLASS(klass);
  GstCaps* const caps = gst_caps_from_string(
      "video/x-raw,format=RGB,width=64,height=48,framerate=100/1,pixel-aspect-ratio=1/1");
  gst_element_class_add_pad_template(
      element, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref(caps);
  gst_element_class_set_static_metadata(element, "Scarce source", "Source/Video", "Has six buffers",
                                        "gxr");
  GST_BASE_SRC_CLASS(klass)->decide_allocation = &decide_allocation;
  GST_PUSH_SRC_CLASS(klass)->fill = &fill;
}

gboolean init_plugin(GstPlugin* plugin) {
  return gst_element_register(plugin, "scarcesrc", GST_RANK_NONE, scarce_source_get_type()) &&
         register_password_sink(plugin);
}

}  // namespace

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, scarce, "A source for tests", init_plugin,
                  "1.0", "LGPL", "gxr", "https://example.org")
