// A camera for tests: serves a test pattern at rtsp://127.0.0.1:PORT/live until it is killed.
//
//   rtsp_server [--port PORT] [--user USER --password PASSWORD] [--silent-after PICTURES]
//               [--pictures PICTURES] [--pattern PATTERN]
//
// Prints the address when it accepts clients. Without a port, the system chooses one. With
// --silent-after, nothing comes after so many pictures, but the connection stays; with --pictures,
// the stream ends.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <gst/rtsp-server/rtsp-server.h>

namespace {

std::map<std::string, std::string> options_of(int argc, char** argv) {
  std::map<std::string, std::string> options;
  for (int i = 1; i + 1 < argc; i += 2) {
    options[argv[i]] = argv[i + 1];
  }
  return options;
}

std::string pipeline_of(std::map<std::string, std::string>& options) {
  const std::string& pictures = options["--pictures"];
  const std::string& silent = options["--silent-after"];
  const std::string& pattern = options["--pattern"];
  return "( videotestsrc is-live=true pattern=" + (pattern.empty() ? "smpte" : pattern) +
         (pictures.empty() ? "" : " num-buffers=" + pictures) +
         " ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! jpegenc" +
         (silent.empty() ? "" : " ! identity eos-after=" + silent + " ! identity name=silent") +
         " ! rtpjpegpay name=pay0 pt=26 )";
}

/// Keeps the end of the stream, so that clients wait.
void make_silent(GstRTSPMediaFactory* /*factory*/, GstRTSPMedia* media, gpointer /*unused*/) {
  GstElement* const bin = gst_rtsp_media_get_element(media);
  if (GstElement* const silent = gst_bin_get_by_name(GST_BIN(bin), "silent")) {
    GstPad* const pad = gst_element_get_static_pad(silent, "sink");
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
        [](GstPad*, GstPadProbeInfo* info, gpointer) {
          return GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS
                     ? GST_PAD_PROBE_DROP
                     : GST_PAD_PROBE_OK;
        },
        nullptr, nullptr);
    gst_object_unref(pad);
    gst_object_unref(silent);
  }
  gst_object_unref(bin);
}

void require_password(GstRTSPServer* server, GstRTSPMediaFactory* factory, const std::string& user,
                      const std::string& password) {
  GstRTSPAuth* const auth = gst_rtsp_auth_new();
  GstRTSPToken* const token =
      gst_rtsp_token_new(GST_RTSP_TOKEN_MEDIA_FACTORY_ROLE, G_TYPE_STRING, "user", nullptr);
  gchar* const basic = gst_rtsp_auth_make_basic(user.c_str(), password.c_str());
  gst_rtsp_auth_add_basic(auth, basic, token);
  g_free(basic);
  gst_rtsp_token_unref(token);
  gst_rtsp_server_set_auth(server, auth);
  g_object_unref(auth);
  gst_rtsp_media_factory_add_role(factory, "user", GST_RTSP_PERM_MEDIA_FACTORY_ACCESS,
                                  G_TYPE_BOOLEAN, TRUE, GST_RTSP_PERM_MEDIA_FACTORY_CONSTRUCT,
                                  G_TYPE_BOOLEAN, TRUE, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  gst_init(nullptr, nullptr);
  auto options = options_of(argc, argv);
  const std::string& port = options["--port"];
  GstRTSPServer* const server = gst_rtsp_server_new();
  gst_rtsp_server_set_address(server, "127.0.0.1");
  gst_rtsp_server_set_service(server, port.empty() ? "0" : port.c_str());
  GstRTSPMediaFactory* const factory = gst_rtsp_media_factory_new();
  gst_rtsp_media_factory_set_launch(factory, pipeline_of(options).c_str());
  gst_rtsp_media_factory_set_shared(factory, TRUE);
  g_signal_connect(factory, "media-configure", G_CALLBACK(&make_silent), nullptr);
  if (!options["--user"].empty()) {
    require_password(server, factory, options["--user"], options["--password"]);
  }
  GstRTSPMountPoints* const mounts = gst_rtsp_server_get_mount_points(server);
  gst_rtsp_mount_points_add_factory(mounts, "/live", factory);
  g_object_unref(mounts);
  if (gst_rtsp_server_attach(server, nullptr) == 0) {
    std::fprintf(stderr, "rtsp_server: port %s cannot be used\n", port.c_str());
    return EXIT_FAILURE;
  }
  std::printf("rtsp://127.0.0.1:%d/live\n", gst_rtsp_server_get_bound_port(server));
  std::fflush(stdout);
  g_main_loop_run(g_main_loop_new(nullptr, FALSE));
  return EXIT_SUCCESS;
}
