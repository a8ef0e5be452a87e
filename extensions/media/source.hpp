#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/consumers.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/known_length.hpp"
#include "gxr/port.hpp"
#include "gxr/tensor.hpp"
#include "media/connection.hpp"
#include "media/gstreamer.hpp"
#include "media/network.hpp"
#include "media/picture_queue.hpp"
#include "media/sound_parameters.hpp"

namespace gxr {
namespace media {

enum class Backpressure : std::uint8_t { Auto, Block, DropOldest, DropNewest };

/// Publishes the pictures or the sound of a file, a camera, a stream, or any pipeline of GStreamer.
/// A message
/// holds GStreamer's own memory. The entity waits by an asynchronous term, so no thread waits.
class Source final : public Codelet,
                     public KnownLength,
                     public ShapeInference,
                     public ConsumerAware,
                     private ConnectionListener {
 public:
  void declare(Interface& interface) override;
  /// Of test patterns, and of files, which it opens for that.
  void infer(ShapeContext& context) override;
  void set_consumers(std::string_view key, std::vector<Consumer> consumers) override;
  void initialize() override;
  void start() override;
  void tick() override;
  /// Its `count`.
  [[nodiscard]] std::optional<std::uint64_t> ticks_in_run() const override;
  void stop() override;
  void deinitialize() override;
  /// It holds a camera or a connection.
  [[nodiscard]] bool is_exclusive() const override { return true; }

 private:
  bool on_picture(Picture picture) override;
  void on_end() override;
  void on_error(const std::string& text, Failing failing) override;
  void on_warning(const std::string& text) override;
  void on_pictures_again(std::chrono::nanoseconds pause) override;

  void declare_stream(Interface& interface);
  [[nodiscard]] bool is_sound() const { return sound_.medium() == Medium::Audio; }
  [[nodiscard]] const char* noun() const { return is_sound() ? "piece of sound" : "picture"; }
  [[nodiscard]] PixelFormat format() const;
  /// `uri`, or `fallback` where there is no such camera or file.
  [[nodiscard]] const std::string& read_uri() const;
  [[nodiscard]] std::string pipeline() const;
  [[nodiscard]] Reach reach() const;
  [[nodiscard]] CaptureOptions capture_options() const;
  [[nodiscard]] Fullness fullness(bool live) const;
  void publish(Picture picture);
  void report() const;

  Parameter<std::string> uri_;
  Parameter<std::string> fallback_;
  Parameter<std::string> text_;
  Parameter<PixelFormat> format_;
  Parameter<std::int32_t> width_;
  Parameter<std::int32_t> height_;
  Parameter<double> frame_rate_;
  Parameter<std::uint64_t> count_;
  Parameter<Duration> begin_;
  Parameter<Duration> end_;
  Parameter<bool> realtime_;
  Parameter<bool> repeat_;
  Parameter<std::uint64_t> buffers_;
  Parameter<Backpressure> backpressure_;
  Parameter<std::string> out_tensor_name_;
  Output<Tensor> out_;
  Parameter<Handle<AsynchronousSchedulingTerm>> term_;

  SoundParameters sound_;
  NetworkParameters network_;
  std::vector<Consumer> consumers_;

  std::unique_ptr<Connection> connection_;
  PictureQueue queue_;
  std::uint64_t published_ = 0;
};

}  // namespace media

template <>
struct EnumNames<media::Backpressure> {
  static constexpr std::pair<media::Backpressure, const char*> values[] = {
      {media::Backpressure::Auto, "auto"},
      {media::Backpressure::Block, "block"},
      {media::Backpressure::DropOldest, "drop_oldest"},
      {media::Backpressure::DropNewest, "drop_newest"},
  };
};

}  // namespace gxr
