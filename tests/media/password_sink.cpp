#include "password_sink.hpp"

#include <cstring>
#include <utility>

#include <gst/base/gstbasesink.h>

namespace {

struct PasswordSink {
  GstBaseSink parent;
  gchar* user;
  gchar* password;
};
struct PasswordSinkClass {
  GstBaseSinkClass parent;
};

G_DEFINE_TYPE(PasswordSink, password_sink, GST_TYPE_BASE_SINK)

enum { kUser = 1, kPassword };

void set_property(GObject* object, guint number, const GValue* value, GParamSpec* /*unused*/) {
  auto& self = *reinterpret_cast<PasswordSink*>(object);
  gchar*& text = number == kUser ? self.user : self.password;
  g_free(text);
  text = g_value_dup_string(value);
}

void finalize(GObject* object) {
  auto& self = *reinterpret_cast<PasswordSink*>(object);
  g_free(self.user);
  g_free(self.password);
  G_OBJECT_CLASS(password_sink_parent_class)->finalize(object);
}

gboolean start(GstBaseSink* sink) {
  auto& self = *reinterpret_cast<PasswordSink*>(sink);
  GST_ELEMENT_ERROR(sink, RESOURCE, NOT_AUTHORIZED,
                    ("user '%s', a password of %u letters", self.user == nullptr ? "" : self.user,
                     self.password == nullptr ? 0U : static_cast<guint>(strlen(self.password))),
                    (nullptr));
  return FALSE;
}

void password_sink_init(PasswordSink* /*self*/) {}

void password_sink_class_init(PasswordSinkClass* klass) {
  auto* const element = GST_ELEMENT_CLASS(klass);
  auto* const object = G_OBJECT_CLASS(klass);
  object->set_property = &set_property;
  object->finalize = &finalize;
  for (const auto& [number, name] : {std::pair<guint, const char*>{kUser, "user-id"},
                                     std::pair<guint, const char*>{kPassword, "user-pw"}}) {
    g_object_class_install_property(
        object, number, g_param_spec_string(name, name, name, nullptr, G_PARAM_WRITABLE));
  }
  gst_element_class_add_pad_template(
      element, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, gst_caps_new_any()));
  gst_element_class_set_static_metadata(element, "Password sink", "Sink", "Tells what it was told",
                                        "gxr");
  GST_BASE_SINK_CLASS(klass)->start = &start;
}

}  // namespace

gboolean register_password_sink(GstPlugin* plugin) {
  return gst_element_register(plugin, "passwordsink", GST_RANK_NONE, password_sink_get_type());
}
