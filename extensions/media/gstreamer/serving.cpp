#include "media/gstreamer/serving.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include <gst/gst.h>
#include <gst/rtsp-server/rtsp-server.h>

#include "gxr/error.hpp"
#include "media/gstreamer/pipeline.hpp"
#include "media/gstreamer/streams.hpp"

namespace gxr::media {
namespace {

using SharedStreams = std::shared_ptr<Streams>;

constexpr guint kSessionsInterval = 2;  // seconds between looks for sessions that have timed out
constexpr std::chrono::nanoseconds kFarewell = std::chrono::milliseconds(500);
constexpr const char* kRole = "user";

/// The description of the pipeline that a server makes when the first client comes.
std::string description_of(const RecordingOptions& options) {
  return "( appsrc name=gxr_source ! videoconvert ! " + options.pipeline + " )";
}

/// Connects a signal to a function that keeps the streams alive.
void connect(gpointer object, const char* signal, GCallback function,
             const SharedStreams& streams) {
  g_signal_connect_data(
      object, signal, function, new SharedStreams(streams),
      [](gpointer data, GClosure* /*closure*/) { delete static_cast<SharedStreams*>(data); },
      GConnectFlags{});
}

[[noreturn]] void throw_no_sound() {
  throw Error(ErrorCode::NotSupported, "a server of RTSP sends pictures, not sound");
}

void on_unprepared(GstRTSPMedia* media, gpointer streams) {
  const Owned<GstElement> element(gst_rtsp_media_get_element(media));
  (*static_cast<SharedStreams*>(streams))->remove(element.get());
}

void on_message(GstBus* /*bus*/, GstMessage* message, gpointer streams) {
  (*static_cast<SharedStreams*>(streams))->warn(text_of(message));
}

void on_play(GstRTSPClient* /*client*/, GstRTSPContext* /*context*/, gpointer streams) {
  (*static_cast<SharedStreams*>(streams))->begin_anew();
}

void on_media(GstRTSPMediaFactory* /*factory*/, GstRTSPMedia* media, gpointer data) {
  const SharedStreams& streams = *static_cast<SharedStreams*>(data);
  const Owned<GstElement> element(gst_rtsp_media_get_element(media));
  connect(media, "unprepared", G_CALLBACK(&on_unprepared), streams);
  if (const Owned<GstObject> pipeline{gst_object_get_parent(GST_OBJECT(element.get()))}) {
    const Owned<GstBus> bus(gst_element_get_bus(GST_ELEMENT(pipeline.get())));
    gst_bus_enable_sync_message_emission(bus.get());
    connect(bus.get(), "sync-message::error", G_CALLBACK(&on_message), streams);
  }
  streams->add(element.get());
}

class RtspServing final : public Serving {
 public:
  RtspServing(const ServingOptions& options, RecordingListener& listener);
  ~RtspServing() override { stop(); }

  void open() override;
  void start(const PictureFormat& format) override { streams_->start(format); }
  void push(const PictureMemory& picture, std::shared_ptr<const void> owner,
            std::int64_t time) override {
    streams_->push(picture, std::move(owner), time);
  }
  void start_sound(const AudioBufferInfo& /*info*/) override { throw_no_sound(); }
  void push_sound(const std::byte* /*data*/, std::uint64_t /*bytes*/,
                  std::shared_ptr<const void> /*owner*/, std::int64_t /*time*/) override {
    throw_no_sound();
  }
  bool finish(std::chrono::nanoseconds limit) override;
  void stop() noexcept override;
  [[nodiscard]] RtspAddress address() const override { return options_.address; }
  [[nodiscard]] std::uint64_t clients() const noexcept override {
    return clients_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t dropped() const noexcept override { return streams_->dropped(); }

 private:
  static void on_client(GstRTSPServer* server, GstRTSPClient* client, gpointer self);

  [[nodiscard]] Owned<GstRTSPMediaFactory> make_factory() const;
  void require_password(GstRTSPMediaFactory* factory);
  void listen();
  void attach(GSource* source) noexcept;
  void run();

  ServingOptions options_;
  SharedStreams streams_;
  std::atomic<std::uint64_t> clients_{0};
  Owned<GstRTSPServer> server_;
  GMainContext* context_ = nullptr;
  GMainLoop* loop_ = nullptr;
  std::thread thread_;
};

RtspServing::RtspServing(const ServingOptions& options, RecordingListener& listener)
    : options_(options), streams_(std::make_shared<Streams>(options.stream, listener)) {
  static_cast<void>(parse_pipeline("appsrc name=gxr_source ! videoconvert ! " +
                                   options.stream.pipeline + " ! fakesink"));
}

Owned<GstRTSPMediaFactory> RtspServing::make_factory() const {
  Owned<GstRTSPMediaFactory> factory(gst_rtsp_media_factory_new());
  gst_rtsp_media_factory_set_launch(factory.get(), description_of(options_.stream).c_str());
  gst_rtsp_media_factory_set_shared(factory.get(), TRUE);
  connect(factory.get(), "media-configure", G_CALLBACK(&on_media), streams_);
  return factory;
}

/// By digest: the password itself does not go over the network.
void RtspServing::require_password(GstRTSPMediaFactory* factory) {
  const Owned<GstRTSPAuth> auth(gst_rtsp_auth_new());
  GstRTSPToken* const token =
      gst_rtsp_token_new(GST_RTSP_TOKEN_MEDIA_FACTORY_ROLE, G_TYPE_STRING, kRole, nullptr);
  gst_rtsp_auth_set_supported_methods(auth.get(), GST_RTSP_AUTH_DIGEST);
  gst_rtsp_auth_add_digest(auth.get(), options_.stream.network.user.c_str(),
                           options_.stream.network.password.c_str(), token);
  gst_rtsp_token_unref(token);
  gst_rtsp_server_set_auth(server_.get(), auth.get());
  gst_rtsp_media_factory_add_role(factory, kRole, GST_RTSP_PERM_MEDIA_FACTORY_ACCESS,
                                  G_TYPE_BOOLEAN, TRUE, GST_RTSP_PERM_MEDIA_FACTORY_CONSTRUCT,
                                  G_TYPE_BOOLEAN, TRUE, nullptr);
}

void RtspServing::open() {
  server_.reset(gst_rtsp_server_new());
  gst_rtsp_server_set_address(server_.get(), options_.address.host.c_str());
  gst_rtsp_server_set_service(server_.get(), std::to_string(options_.address.port).c_str());
  Owned<GstRTSPMediaFactory> factory = make_factory();
  if (!options_.stream.network.user.empty()) {
    require_password(factory.get());
  }
  const Owned<GstRTSPMountPoints> mounts(gst_rtsp_server_get_mount_points(server_.get()));
  gst_rtsp_mount_points_add_factory(mounts.get(), options_.address.path.c_str(), factory.release());
  g_signal_connect(server_.get(), "client-connected", G_CALLBACK(&on_client), this);
  listen();
}

void RtspServing::on_client(GstRTSPServer* /*server*/, GstRTSPClient* client, gpointer self) {
  auto& serving = *static_cast<RtspServing*>(self);
  serving.clients_.fetch_add(1, std::memory_order_relaxed);
  connect(client, "play-request", G_CALLBACK(&on_play), serving.streams_);
}

void RtspServing::listen() {
  GError* error = nullptr;
  GSource* const source = gst_rtsp_server_create_source(server_.get(), nullptr, &error);
  if (source == nullptr) {
    const std::string reason = error == nullptr ? "unknown reason" : error->message;
    g_clear_error(&error);
    throw Error(ErrorCode::InputOutput, "'uri': cannot serve: " + reason);
  }
  options_.address.port = static_cast<std::uint16_t>(gst_rtsp_server_get_bound_port(server_.get()));
  context_ = g_main_context_new();
  loop_ = g_main_loop_new(context_, FALSE);
  attach(source);
  GSource* const sessions = g_timeout_source_new_seconds(kSessionsInterval);
  g_source_set_callback(
      sessions,
      [](gpointer server) -> gboolean {
        const Owned<GstRTSPSessionPool> pool(
            gst_rtsp_server_get_session_pool(static_cast<GstRTSPServer*>(server)));
        gst_rtsp_session_pool_cleanup(pool.get());
        return G_SOURCE_CONTINUE;
      },
      server_.get(), nullptr);
  attach(sessions);
  thread_ = std::thread([this] { run(); });
}

void RtspServing::attach(GSource* source) noexcept {
  g_source_attach(source, context_);
  g_source_unref(source);
}

void RtspServing::run() {
  g_main_context_push_thread_default(context_);
  g_main_loop_run(loop_);
  g_main_context_pop_thread_default(context_);
}

/// Clients that hear of the end leave. Nobody waits for others.
bool RtspServing::finish(std::chrono::nanoseconds limit) {
  streams_->end();
  streams_->wait_until_none(std::min(limit, kFarewell));
  return true;
}

void RtspServing::stop() noexcept {
  streams_->close();
  if (!thread_.joinable()) {
    return;
  }
  GSource* const quit = g_idle_source_new();  // in the loop: it may not run yet
  g_source_set_callback(
      quit,
      [](gpointer loop) -> gboolean {
        g_main_loop_quit(static_cast<GMainLoop*>(loop));
        return G_SOURCE_REMOVE;
      },
      loop_, nullptr);
  attach(quit);
  thread_.join();
  gst_rtsp_server_client_filter(
      server_.get(),
      [](GstRTSPServer*, GstRTSPClient*, gpointer) { return GST_RTSP_FILTER_REMOVE; }, nullptr);
  g_main_loop_unref(loop_);
  g_main_context_unref(context_);  // with its sources
  server_.reset();
}

}  // namespace

std::unique_ptr<Serving> make_serving(const ServingOptions& options, RecordingListener& listener) {
  return std::make_unique<RtspServing>(options, listener);
}

}  // namespace gxr::media
