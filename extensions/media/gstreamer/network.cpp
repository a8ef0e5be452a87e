#include "media/gstreamer/network.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "gxr/error.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {
namespace {

constexpr const char* kLogin = "gxr_login";

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

/// The properties of an element for a user and a password; no `user`: a password alone.
struct LoginProperties {
  const char* user;
  const char* password;
};

const LoginProperties* login_of(GstElement* element) {
  static constexpr std::array<LoginProperties, 3> kKnown = {
      {{"user-id", "user-pw"}, {"username", "password"}, {nullptr, "passphrase"}}};
  const auto* const found = std::ranges::find_if(kKnown, [&](const LoginProperties& each) {
    return has_property(element, each.password) &&
           (each.user == nullptr || has_property(element, each.user));
  });
  return found == kKnown.end() ? nullptr : found;
}

void log_in(GstElement* element, const LoginProperties* login, const NetworkOptions& options) {
  if (login->user != nullptr) {
    g_object_set(element, login->user, options.user.c_str(), nullptr);
  }
  g_object_set(element, login->password, options.password.c_str(), nullptr);
}

/// Does it make the element that reaches the network by itself, and tells of that?
bool makes_source(GstElement* element) {
  return g_signal_lookup("source-setup", G_OBJECT_TYPE(element)) != 0;
}

bool can_log_in(GstElement* element) {
  return login_of(element) != nullptr || makes_source(element);
}

void on_source(GstElement* decoder, GstElement* source, gpointer options) {
  const LoginProperties* const login = login_of(source);
  if (login == nullptr) {
    GST_ELEMENT_ERROR(decoder, RESOURCE, NOT_AUTHORIZED,
                      ("this source takes no user and password: leave out 'credentials'"),
                      (nullptr));
    return;
  }
  log_in(source, login, *static_cast<const NetworkOptions*>(options));
}

/// Calls `use` with each element of the pipeline; with `all`, also with those inside of others.
template <class Use>
void for_each_element(GstElement* pipeline, bool all, Use use) {
  GstIterator* const elements = all ? gst_bin_iterate_recurse(GST_BIN(pipeline))
                                    : gst_bin_iterate_elements(GST_BIN(pipeline));
  const auto call = [](const GValue* each, gpointer data) {
    (*static_cast<Use*>(data))(GST_ELEMENT(g_value_get_object(each)));
  };
  while (gst_iterator_foreach(elements, call, &use) == GST_ITERATOR_RESYNC) {
    gst_iterator_resync(elements);
  }
  gst_iterator_free(elements);
}

/// Whoever gets the user and the password. Elements that others make may reach another server.
Owned<GstElement> element_for_login(GstElement* pipeline) {
  Owned<GstElement> named = find_element(pipeline, kLogin);
  if (named != nullptr && can_log_in(named.get())) {
    return named;
  }
  if (named != nullptr) {
    throw Error(ErrorCode::InvalidParameter, "'credentials': the element " + std::string(kLogin) +
                                                 " takes no user and password");
  }
  Owned<GstElement> found;
  std::string names;
  std::size_t count = 0;
  for_each_element(pipeline, false, [&](GstElement* element) {
    if (can_log_in(element)) {
      names += (names.empty() ? "" : ", ") + std::string(GST_OBJECT_NAME(element));
      found.reset(GST_ELEMENT(gst_object_ref(element)));
      ++count;
    }
  });
  if (found == nullptr) {
    throw Error(ErrorCode::InvalidParameter,
                "'credentials': no element of the pipeline takes a user and a password");
  }
  if (count > 1) {
    throw Error(ErrorCode::InvalidParameter,
                "'credentials': several elements of the pipeline take a user and a password (" +
                    names + "): write name=" + kLogin + " behind the one that gets them");
  }
  return found;
}

void set_login(GstElement* pipeline, const NetworkOptions& options, gpointer for_callbacks) {
  const Owned<GstElement> element = element_for_login(pipeline);
  if (makes_source(element.get())) {
    g_signal_connect(element.get(), "source-setup", G_CALLBACK(&on_source), for_callbacks);
  } else {
    log_in(element.get(), login_of(element.get()), options);
  }
}

void set_element(GstElement* element, const NetworkOptions& options) {
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
  for_each_element(pipeline, true, [&](GstElement* element) { set_element(element, options); });
  if (!options.user.empty()) {
    set_login(pipeline, options, for_callbacks);
  }
}

}  // namespace gxr::media
