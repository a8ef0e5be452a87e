#include "media/source.hpp"

#include <optional>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"
#include "media/consumer_formats.hpp"
#include "media/counted.hpp"
#include "media/credentials.hpp"
#include "media/load_gstreamer.hpp"
#include "media/source_text.hpp"

namespace gxr::media {
namespace {

constexpr std::chrono::seconds kLongestLook{5};

/// Of letters.
std::string upper_case(std::string text) {
  for (char& c : text) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return text;
}

kernels::BayerPattern bayer_pattern_of(const std::string& name) {
  for (const auto& [pattern, known] : EnumNames<kernels::BayerPattern>::values) {
    if (upper_case(name) == known) {
      return pattern;
    }
  }
  throw Error(ErrorCode::InvalidData, "the mosaic '" + name + "' is not known");
}

}  // namespace

void Source::declare(Interface& interface) {
  interface.output(out_, "out", "Transmitter of messages with one picture each").other_parts();
  interface
      .parameter(uri_, "uri", "File, camera or stream; this or 'pipeline'",
                 "A path, relative to the working directory, file:///…, http://…, https://…, "
                 "rtsp://…, test://smpte and other patterns of GStreamer's videotestsrc, "
                 "v4l2:///dev/video0, or screen://.")
      .default_value("");
  interface
      .parameter(fallback_, "fallback", "What 'uri' means where it names no camera or file",
                 "For cameras and files of this machine: if there is none of that name when the "
                 "run begins, a warning says so, and this is read in its place. Empty: the run ends.")
      .default_value("");
  interface
      .parameter(text_, "pipeline", "Beginning of a pipeline, as gst-launch-1.0 takes it",
                 "gxr adds '! videoconvert ! appsink'.")
      .default_value("");
  interface
      .parameter(format_, "format", "How the bytes of the pictures follow each other",
                 "Without it, the first that all ports take that get the pictures, by what they "
                 "declare: RGB, if they declare nothing. NV12, I420 and P010 have planes, and are a "
                 "gxr::VideoBuffer; the others are tensors: height x width x 3, 4, 1 or, for YUY2, "
                 "2. The CPU converts pictures of other formats, but not to BAYER8 to BAYER16, the "
                 "mosaic of a sensor.")
      .optional();
  interface.parameter(width_, "width", "Width that a camera or a test pattern is asked for")
      .unit("pixels")
      .range(0, 32768)
      .description("0: 640 for test patterns, the camera's own.")
      .default_value(0);
  interface.parameter(height_, "height", "Height that a camera or a test pattern is asked for")
      .unit("pixels")
      .range(0, 32768)
      .description("0: 480 for test patterns, the camera's own.")
      .default_value(0);
  interface
      .parameter(frame_rate_, "frame_rate",
                 "Pictures per second that a camera or a test pattern is asked for")
      .unit("Hz")
      .range(0.0, 10000.0)
      .description("0: 30 for test patterns, the camera's own.")
      .default_value(0.0);
  sound_.declare(interface);
  network_.declare(interface);
  declare_stream(interface);
}

void Source::declare_stream(Interface& interface) {
  interface.parameter(count_, "count", "Most pictures to publish; 0: all").default_value(0);
  interface.parameter(begin_, "start", "Time in the file of the first picture to publish")
      .default_value({});
  interface
      .parameter(end_, "stop", "Time in the file of the first picture not to publish",
                 "0: the end of the file.")
      .default_value({});
  interface
      .parameter(realtime_, "realtime", "Publish each picture of a file at its time",
                 "Else as fast as the file is decoded and messages are taken.")
      .default_value(false);
  interface.parameter(repeat_, "repeat", "Begin again after the last picture").default_value(false);
  interface
      .parameter(buffers_, "buffers", "Pictures that may wait for the entity's tick",
                 "They and those in messages hold memory of the pipeline.")
      .range(1, 1024)
      .default_value(4);
  interface
      .parameter(backpressure_, "backpressure", "What happens to a picture that finds no room",
                 "auto: drop_oldest for live sources, block for others. block: the pipeline waits. "
                 "drop_oldest, drop_newest: one is dropped, counted, and reported.")
      .default_value(Backpressure::Auto);
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the picture or the sound in the messages")
      .default_value("image");
  interface.parameter(term_, "asynchronous_scheduling_term",
                      "Term of this entity: waits for pictures, and ends the entity");
}

void Source::set_consumers(std::string_view /*key*/, std::vector<Consumer> consumers) {
  consumers_ = std::move(consumers);
}

PixelFormat Source::format() const {
  if (is_sound()) {
    return PixelFormat::Rgb;  // nobody looks at it
  }
  return format_.try_get() ? *format_.try_get() : format_for(consumers_, out_tensor_name_.get());
}

const std::string& Source::read_uri() const {
  return !fallback_.get().empty() && !missing_file(uri_.get()).empty() ? fallback_.get()
                                                                       : uri_.get();
}

std::string Source::pipeline() const {
  const RequestedMode mode{width_.get(), height_.get(), frame_rate_.get()};
  if (uri_.get().empty() == text_.get().empty()) {
    throw Error(ErrorCode::InvalidParameter, "set either 'uri' or 'pipeline'");
  }
  if (!fallback_.get().empty() && uri_.get().empty()) {
    throw Error(ErrorCode::InvalidParameter, "'fallback' has no effect on 'pipeline'");
  }
  refuse_password_in_address(uri_.get());
  refuse_password_in_address(fallback_.get());
  refuse_password_in_pipeline(text_.get());
  if (is_sound() && (format_.try_get() || !mode.is_any())) {
    throw Error(ErrorCode::InvalidParameter,
                "'format', 'width', 'height' and 'frame_rate' are of pictures: leave them out with "
                "'media: audio'");
  }
  if (text_.get().empty() && is_sound()) {
    return sound_pipeline_of_uri(read_uri());
  }
  if (text_.get().empty()) {
    return pipeline_of_uri(read_uri(), mode, format());
  }
  if (!mode.is_any()) {
    throw Error(ErrorCode::InvalidParameter,
                "'width', 'height' and 'frame_rate' have no effect on 'pipeline': write them into "
                "its text, for example '… ! video/x-raw,width=640'");
  }
  return text_.get();
}

Reach Source::reach() const { return text_.get().empty() ? reach_of(read_uri()) : Reach::Pipeline; }

CaptureOptions Source::capture_options() const {
  CaptureOptions options;
  options.pipeline = pipeline();
  options.medium = sound_.medium();
  options.sound = sound_.form();
  options.format = format();
  options.realtime = realtime_.get();
  options.repeat = repeat_.get();
  options.begin = std::chrono::nanoseconds(begin_.get().nanoseconds);
  options.end = std::chrono::nanoseconds(end_.get().nanoseconds);
  options.network = network_.network(reach());
  if (options.end.count() > 0 && options.end <= options.begin) {
    throw Error(ErrorCode::InvalidParameter, "'stop' is not behind 'start'");
  }
  return options;
}

/// Others tell it when they run: a camera or a connection is opened once.
void Source::infer(ShapeContext& context) {
  if (reach() != Reach::Local || read_uri().starts_with("v4l2:") ||
      read_uri().starts_with("screen:")) {
    throw Error(ErrorCode::NotAvailable, "this source is not opened before it runs");
  }
  if (is_sound() || is_planar(format())) {
    throw Error(ErrorCode::NotAvailable, "planes and sound are no tensor");
  }
  const PictureFormat format = gstreamer().look_at(capture_options(), kLongestLook);
  const FormatFacts& facts = facts_of(format.pixels);
  TensorSpec spec{Shape{format.height, format.width, facts.samples}, facts.type, 0,
                  out_tensor_name_.get()};
  if (!format.bayer.empty()) {
    spec.content = "Bayer " + upper_case(format.bayer);
  }
  context.set_output(out_, std::move(spec));
}

void Source::initialize() {
  static_cast<void>(gstreamer());
  require_element(is_sound() ? "audioconvert" : "videoconvert");
  require_element("appsink");
  if (&read_uri() == &fallback_.get()) {
    log_warning("there is no " + missing_file(uri_.get()) + ": reads " + read_uri() +
                " ('fallback') in its place");
  }
  connection_ = std::make_unique<Connection>(capture_options(), network_.connection(reach()),
                                             static_cast<ConnectionListener&>(*this));
  published_ = 0;
  if (const std::string warning = network_.without_effect(); !warning.empty()) {
    log_warning(warning);
  }
}

void Source::start() {
  queue_.open(*term_.get(), buffers_.get());
  connection_->start();
}

Fullness Source::fullness(bool live) const {
  switch (backpressure_.get()) {
    case Backpressure::Block:
      return Fullness::Waits;
    case Backpressure::DropOldest:
      return Fullness::DropsOldest;
    case Backpressure::DropNewest:
      return Fullness::DropsNewest;
    case Backpressure::Auto:
      break;
  }
  return live ? Fullness::DropsOldest : Fullness::Waits;
}

bool Source::on_picture(Picture picture) {
  const std::int64_t now = context().clock_time();
  if (picture.live) {
    picture.time = now - picture.age;
  } else if (picture.time < 0) {
    picture.time = now;
  }
  std::uint64_t dropped = 0;
  const Fullness full = fullness(picture.live);
  const bool open = queue_.push(std::move(picture), full, dropped);
  if (dropped == 1) {
    log_warning(std::string("a ") + noun() +
                " was dropped, because the entity did not take those before it; more may follow");
  }
  return open;
}

void Source::on_end() { queue_.end(); }
void Source::on_error(const std::string& text, Failing /*failing*/) { queue_.fail(text); }
void Source::on_warning(const std::string& text) { log_warning(text); }
void Source::on_pictures_again(std::chrono::nanoseconds pause) {
  log_info(std::string(is_sound() ? "sound comes" : "pictures come") + " again after " +
           fixed_text(std::chrono::duration<double>(pause).count(), 1) + " s");
}

std::optional<std::uint64_t> Source::ticks_in_run() const {
  return *count_ > 0 ? std::optional<std::uint64_t>(*count_) : std::nullopt;
}

void Source::tick() {
  std::optional<Picture> picture = queue_.take();
  if (picture) {
    return publish(std::move(*picture));
  }
  if (const std::string failure = queue_.failure(); !failure.empty()) {
    throw Error(ErrorCode::InputOutput, failure);
  }
}

void Source::publish(Picture picture) {
  Message message = context().new_message();
  if (is_sound()) {
    message.add<AudioBuffer>(out_tensor_name_.get(), std::move(picture.sound));
  } else if (picture.planes.pointer() != nullptr) {
    message.add<VideoBuffer>(out_tensor_name_.get(), std::move(picture.planes));
  } else {
    message.add<Tensor>(out_tensor_name_.get(), std::move(picture.tensor));
  }
  if (!picture.bayer.empty()) {
    message.add<image::BayerPattern>({}, image::BayerPattern{bayer_pattern_of(picture.bayer)});
  }
  message.add<Timestamp>("timestamp", Timestamp{execution_timestamp(), picture.time});
  message.set_source_time(picture.time);
  message.set_sequence(picture.number);
  if (picture.follows_gap) {
    message.add<bool>("discontinuity", true);
  }
  out_.publish(std::move(message));
  if (++published_ == count_.get()) {
    queue_.end(true);
  }
}

void Source::report() const {
  std::string text = is_sound() ? "published " + std::to_string(published_) +
                                      (published_ == 1 ? " piece of sound" : " pieces of sound")
                                : "published " + counted(published_, "picture");
  if (const std::uint64_t dropped = queue_.dropped(); dropped > 0) {
    text += ", dropped " + std::to_string(dropped);
  }
  if (const std::uint64_t copies = connection_->copies(); copies > 0) {
    text += ", copied " + std::to_string(copies);
  }
  if (const std::uint64_t interruptions = connection_->interruptions(); interruptions > 0) {
    text += ", " + counted(interruptions, "interruption");
  }
  log_info(text);
}

void Source::stop() {
  queue_.close();
  connection_->stop();
  report();
}

void Source::deinitialize() { connection_.reset(); }

}  // namespace gxr::media
