#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/parameter.hpp"
#include "gxr/tensor.hpp"
#include "media/pixel_format.hpp"

/// The interface of media_gstreamer.so for the operators in media.so, which do not use GStreamer.

namespace gxr {
namespace media {

/// The content of a stream.
enum class Medium : std::uint8_t { Video, Audio };

/// A picture, or a piece of sound, that GStreamer delivered.
struct Picture {
  Tensor tensor;             ///< height x width x samples; rows may have gaps
  VideoBuffer planes;        ///< instead of the tensor for formats with several planes
  AudioBuffer sound = {};    ///< instead of both
  std::string bayer = {};    ///< "rggb": the first colours of two rows; empty: no raw picture
  std::int64_t time = -1;    ///< ns from the beginning of the stream; -1: the stream does not tell
  std::int64_t age = 0;      ///< ns since a live source saw it, when it came out of the pipeline
  bool live = false;         ///< it does not wait for whoever is too slow
  bool follows_gap = false;  ///< it does not continue the one before
  std::uint64_t number = 0;  ///< how many came before
};

/// Can what failed succeed when it is tried again?
enum class Failing : std::uint8_t { ForNow, ForGood };

/// Hears of a Capture, on threads of GStreamer.
class CaptureListener {
 public:
  /// May wait until there is room; then the pipeline waits, too. False: no more pictures.
  virtual bool on_picture(Picture picture) = 0;
  /// The stream has ended. Pictures come no more.
  virtual void on_end() = 0;
  /// It has ended by an error. Of several, the first counts.
  virtual void on_error(const std::string& text, Failing failing) = 0;
  virtual void on_warning(const std::string& text) = 0;

 protected:
  ~CaptureListener() = default;
};

/// How packets of RTSP come.
enum class Transport : std::uint8_t { Auto, Tcp, Udp, Multicast };

/// How elements reach a source over a network.
struct NetworkOptions {
  Transport transport = Transport::Auto;
  std::chrono::nanoseconds latency{};  ///< that rtspsrc waits for late packets; 0: its own
  std::string user = {};               ///< empty: none
  std::string password = {};
};

/// The form of a sound that is wanted.
struct SoundForm {
  AudioFormat format = AudioFormat::Custom;  ///< Custom: S16Le or F32Le, as the source has it
  std::int32_t rate = 0;                     ///< samples a second; 0: the source's
  std::int32_t channels = 0;                 ///< 0: the source's
};

struct CaptureOptions {
  std::string pipeline;  ///< in the words of gst-launch, without the end
  Medium medium = Medium::Video;
  SoundForm sound = {};
  PixelFormat format = PixelFormat::Rgb;
  bool realtime = false;             ///< each picture at its time
  bool repeat = false;               ///< begin again at the end
  std::chrono::nanoseconds begin{};  ///< of the part of the stream that is wanted
  std::chrono::nanoseconds end{};    ///< likewise; 0: the stream's
  NetworkOptions network = {};
};

/// A running pipeline that ends in the application.
class Capture {
 public:
  virtual ~Capture() = default;
  virtual void start() = 0;
  /// Returns when the listener is not called any more. on_picture() must not wait any longer.
  virtual void stop() noexcept = 0;
  /// Pictures that were copied, because others could still write or need their memory.
  [[nodiscard]] virtual std::uint64_t copies() const noexcept = 0;
};

/// Hears of a Recording, on threads of GStreamer and in push(); one call at a time for the first
/// two.
class RecordingListener {
 public:
  /// The pipeline has enough: push() again after on_room().
  virtual void on_full() = 0;
  virtual void on_room() = 0;
  virtual void on_error(const std::string& text) = 0;
  virtual void on_warning(const std::string& text) = 0;

 protected:
  ~RecordingListener() = default;
};

struct RecordingOptions {
  /// In the words of gst-launch, without the beginning. An element `gxr_encoder` gets a bit rate.
  std::string pipeline;
  std::string bitrate_property = {};  ///< of the encoder; empty: it has none
  std::int64_t bitrate_unit = 1;      ///< bits a second
  std::int64_t bitrate = 0;           ///< bits a second; 0: by the size of the pictures
  NetworkOptions network = {};        ///< for elements that reach one
  bool has_mosaics = false;           ///< pictures that videoconvert does not know
  Medium medium = Medium::Video;
};

/// The pictures of a recording.
struct PictureFormat {
  PixelFormat pixels = PixelFormat::Rgb;
  std::int32_t width = 0;
  std::int32_t height = 0;
  double frame_rate = 30.0;  ///< pictures a second
  std::string bayer = {};    ///< as that of a Picture
  // Of NV12 and I420.
  bool is_full_range = false;  ///< from 0 to 255; else from 16
  bool is_bt709 = false;       ///< else BT.601
};

/// Where the planes of a picture lie; packed formats have one.
struct PictureMemory {
  static constexpr std::size_t kMostPlanes = 3;
  const std::byte* data = nullptr;  ///< the CPU reads it
  std::uint64_t bytes = 0;          ///< from there on; may end with the last pixel
  std::array<std::uint64_t, kMostPlanes> offsets{};
  std::array<std::uint64_t, kMostPlanes> strides{};  ///< bytes from one row to the next
};

/// A running pipeline that begins in the application.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Opens the file. What fails is told to the listener, usually before the call returns.
  virtual void open() = 0;
  /// Before the first push().
  virtual void start(const PictureFormat& format) = 0;
  /// A picture of that format, whose memory `owner` keeps. `time` in ns from the beginning, which
  /// grows.
  virtual void push(const PictureMemory& picture, std::shared_ptr<const void> owner,
                    std::int64_t time) = 0;
  /// Likewise, of a recording of sound; the channels of a time follow each other. Throw
  /// Error(NotSupported) in a server.
  virtual void start_sound(const AudioBufferInfo& info) = 0;
  virtual void push_sound(const std::byte* data, std::uint64_t bytes,
                          std::shared_ptr<const void> owner, std::int64_t time) = 0;
  /// Writes what is left. False when that takes longer than `limit`.
  virtual bool finish(std::chrono::nanoseconds limit) = 0;
  /// Returns when the listener is not called any more.
  virtual void stop() noexcept = 0;
};

/// Where an RTSP server listens.
struct RtspAddress {
  std::string host = {};   ///< a name or a number; IPv6 without brackets
  std::uint16_t port = 0;  ///< 0: the system chooses one
  std::string path = {};   ///< "/live"
};

struct ServingOptions {
  RecordingOptions stream;  ///< up to a payloader `pay0`; `network` has what clients must name
  RtspAddress address;
};

/// An RTSP server whose clients see the pictures. It takes each at once; open() throws
/// Error(InputOutput) when the address cannot be used.
class Serving : public Recording {
 public:
  /// Where it listens. After open().
  [[nodiscard]] virtual RtspAddress address() const = 0;
  /// How many clients have connected.
  [[nodiscard]] virtual std::uint64_t clients() const noexcept = 0;
  /// Pictures that came faster than they could be encoded and sent.
  [[nodiscard]] virtual std::uint64_t dropped() const noexcept = 0;
};

class Gstreamer {
 public:
  virtual ~Gstreamer() = default;
  /// Is there an element of this name?
  [[nodiscard]] virtual bool has(const std::string& element) const = 0;
  /// Throw Error(InvalidParameter) for what is no pipeline. The listeners outlive what is made.
  virtual std::unique_ptr<Capture> make_capture(const CaptureOptions& options,
                                                CaptureListener& listener) = 0;
  /// The format that a capture would deliver, found by opening its source. Throws
  /// Error(NotAvailable) when that does not tell it within `limit`.
  virtual PictureFormat look_at(const CaptureOptions& options, std::chrono::nanoseconds limit) = 0;
  virtual std::unique_ptr<Recording> make_recording(const RecordingOptions& options,
                                                    RecordingListener& listener) = 0;
  /// The same, and Error(NotSupported) in a build without gst-rtsp-server.
  virtual std::unique_ptr<Serving> make_serving(const ServingOptions& options,
                                                RecordingListener& listener) = 0;
};

/// The function that media_gstreamer.so exports. Throws Error(NotSupported) when GStreamer does not
/// start.
using GetGstreamer = Gstreamer* (*)();
inline constexpr const char* kGetGstreamer = "gxr_media_gstreamer";

}  // namespace media

template <>
struct EnumNames<media::Medium> {
  static constexpr std::pair<media::Medium, const char*> values[] = {
      {media::Medium::Video, "video"},
      {media::Medium::Audio, "audio"},
  };
};

template <>
struct EnumNames<media::Transport> {
  static constexpr std::pair<media::Transport, const char*> values[] = {
      {media::Transport::Auto, "auto"},
      {media::Transport::Tcp, "tcp"},
      {media::Transport::Udp, "udp"},
      {media::Transport::Multicast, "multicast"},
  };
};

}  // namespace gxr
