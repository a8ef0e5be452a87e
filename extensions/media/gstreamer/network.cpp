#include "media/gstreamer/network.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace gxr::media {
namespace {

bool has_property(GstElement* element, const char* name) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(element), name) != nullptr;
}

bool is_made_by(GstElement* element, std::string_view factory) {
  GstElementFactory* const made_by = gst_element_get_factory(element);
  return made_by != nullptr && factory == GST_OBJECT_NAME(made_by);
}

const char* protocols_of(Transport transport) {
  return transport == Transport::Tcp ? "tcp" : transport == Transport::Udp ? "udp" : "udp-mcast";
}

void set_element(GstElement* element, const NetworkOptions& options) {
  if (!options.user.empty() && has_property(element, "user-id") &&
      has_property(element, "user-pw")) {
    g_object_set(element, "user-id", options.user.c_str(), "user-pw", options.password.c_str(),
                 nullptr);
  }
  if (!is_made_by(element, "rtspsrc")) {
    return;
  }
  if (options.transport != Transport::Auto) {
    gst_util_set_object_arg(G_OBJECT(element), "protocols", protocols_of(options.transport));
  }
  if (options.latency.count() > 0) {
    const auto latency = std::chrono::ceil<std::chrono::milliseconds>(options.latency);
    const auto most = std::int64_t{G_MAXUINT};
    g_object_set(element, "latency", static_cast<guint>(std::min(latency.count(), most)), nullptr);
  }
}

void on_element(GstBin* /*pipeline*/, GstBin* /*bin*/, GstElement* element, gpointer options) {
  set_element(element, *static_cast<const NetworkOptions*>(options));
}

}  // namespace

void set_network(GstElement* pipeline, const NetworkOptions& options) {
  auto* const for_callbacks = const_cast<NetworkOptions*>(&options);
  g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(&on_element), for_callbacks);
  GstIterator* const elements = gst_bin_iterate_recurse(GST_BIN(pipeline));
  while (gst_iterator_foreach(
             elements,
             [](const GValue* each, gpointer data) {
               set_element(GST_ELEMENT(g_value_get_object(each)),
                           *static_cast<const NetworkOptions*>(data));
             },
             for_callbacks) == GST_ITERATOR_RESYNC) {
    gst_iterator_resync(elements);
  }
  gst_iterator_free(elements);
}

}  // namespace gxr::media
