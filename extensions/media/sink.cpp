#include "media/sink.hpp"

#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/timestamp.hpp"
#include "media/counted.hpp"
#include "media/credentials.hpp"
#include "media/load_gstreamer.hpp"
#include "media/rtsp_address.hpp"
#include "media/screen.hpp"

namespace gxr::media {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScreen = "screen://";
constexpr double kUsualRate = 30.0;
constexpr std::int64_t kShortestStep = 100'000;  // ns between pictures that a rate is told from

std::string text_of(const AudioBufferInfo& info) {
  return counted(info.channels, "channel") + " of " +
         (info.format == AudioFormat::S16Le ? "S16LE" : "F32LE") + " at " +
         std::to_string(info.sampling_rate) + " Hz";
}

void make_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::create_directories(folder, error) && error) {
    throw Error(ErrorCode::InputOutput,
                folder.string() + ": cannot make this folder: " + system_error_text(error.value()));
  }
}

}  // namespace

void Sink::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with a picture, or a piece of sound")
      .optional_part()
      .part<VideoBuffer>()
      .optional_part()
      .part<AudioBuffer>()
      .optional_part();
  interface
      .parameter(path_, "path", "File to write: .mp4, .mkv, .webm or .avi; .wav, .flac or .ogg",
                 "The folder is made. The file is complete when the run has ended, also by Ctrl-C.")
      .default_value({});
  interface
      .parameter(uri_, "uri", "Address at which to serve the pictures: rtsp://127.0.0.1:8554/live",
                 "This, 'path' or 'pipeline'. Any number of clients may connect. Port 0: the system "
                 "chooses one, which the log names. screen:// shows them in a window.")
      .default_value("");
  interface
      .parameter(credentials_, "credentials", "File with one line USER:PASSWORD",
                 "Clients of 'uri' must have them, and elements of 'pipeline' get them. Only its "
                 "owner may have access to the file.")
      .default_value({});
  interface
      .parameter(text_, "pipeline", "End of a pipeline, as gst-launch-1.0 takes it",
                 "gxr puts 'appsrc ! videoconvert !' in front of it.")
      .default_value("");
  interface
      .parameter(medium_, "media", "What a 'pipeline' takes: pictures, or sound",
                 "A 'path' tells it by its end. gxr puts 'appsrc ! audioconvert ! audioresample !' "
                 "in front of a pipeline for sound.")
      .default_value(Medium::Video);
  interface
      .parameter(codec_, "codec", "Codec of the file or the stream",
                 "auto: the first of those that it can hold and GStreamer can encode. mp4: "
                 "h264, vp9. mkv: h264, vp8, vp9, jpeg. webm: vp8, vp9. avi: jpeg, h264, vp8. "
                 "rtsp: h264, vp8, jpeg, vp9.")
      .default_value(Codec::Auto);
  interface
      .parameter(bitrate_, "bitrate", "Size of a second of the file; not for jpeg",
                 "0: a tenth of a bit for each pixel.")
      .unit("bits a second")
      .range(0, 1e9)
      .default_value(0);
  declare_stream(interface);
}

void Sink::declare_stream(Interface& interface) {
  interface
      .parameter(format_, "format", "Channels of the tensors",
                 "auto: GRAY8, YUY2, RGB or RGBA, by their number; GRAY16 for uint16. BAYER8 to BAYER16 "
                 "are the mosaics of a sensor, for a 'pipeline'. A gxr::VideoBuffer of NV12, I420 "
                 "or P010 tells its own.")
      .default_value(ChannelOrder::Auto);
  interface
      .parameter(frame_rate_, "frame_rate", "Pictures per second that the file names",
                 "Messages with a Timestamp keep their times; others get times of this rate. 0: by "
                 "the times of the first two messages, or 30.")
      .unit("Hz")
      .range(0.0, 10000.0)
      .default_value(0.0);
  interface
      .parameter(finish_timeout_, "finish_timeout",
                 "Longest time that the end of the run waits for the file to be complete")
      .default_value(Duration{10'000'000'000});
  interface
      .parameter(in_tensor_name_, "in_tensor_name", "Tensor, VideoBuffer or AudioBuffer to write; empty: the message's first")
      .default_value("");
  interface.parameter(term_, "asynchronous_scheduling_term",
                      "Term of this entity: waits while the pipeline has enough pictures");
}

bool Sink::shows() const { return uri_.get() == kScreen; }

void Sink::require_one_target() const {
  const int targets = (path_.get().path.empty() ? 0 : 1) + (uri_.get().empty() ? 0 : 1) +
                      (text_.get().empty() ? 0 : 1);
  if (targets != 1) {
    throw Error(ErrorCode::InvalidParameter, "set one of 'path', 'uri' and 'pipeline'");
  }
  if ((!path_.get().path.empty() || shows()) && !credentials_.get().path.empty()) {
    throw Error(ErrorCode::InvalidParameter,
                "'credentials' has an effect only on 'uri' of rtsp://… and 'pipeline'");
  }
  refuse_password_in_address(uri_.get());
  refuse_password_in_pipeline(text_.get());
}

/// Of the sound that it writes.
RecordingOptions Sink::sound_options() {
  if (!uri_.get().empty() || (text_.get().empty() && !is_sound_file(path_.get().path))) {
    throw Error(ErrorCode::InvalidParameter,
                "'media: audio' is for a 'path' that ends with .wav, .flac or .ogg, and for a "
                "'pipeline'");
  }
  if (codec_.get() != Codec::Auto || format_.get() != ChannelOrder::Auto ||
      frame_rate_.get() > 0.0) {
    throw Error(ErrorCode::InvalidParameter,
                "'codec', 'format' and 'frame_rate' are of pictures: leave them out for sound");
  }
  RecordingOptions options{text_.get()};
  if (text_.get().empty()) {
    MadePipeline made = pipeline_to_sound_file(path_.get().path);
    options = std::move(made.options);
    encoder_ = made.encoder;
  }
  if (bitrate_.get() > 0 && options.bitrate_property.empty()) {
    throw Error(ErrorCode::InvalidParameter, "'bitrate' is for .ogg alone of the files of sound");
  }
  options.medium = Medium::Audio;
  return options;
}

void Sink::make_recording() {
  require_one_target();
  RecordingOptions options{text_.get()};
  if (is_sound_) {
    options = sound_options();
  } else if (shows()) {
    options.pipeline = pipeline_to_screen();
  } else if (text_.get().empty()) {
    MadePipeline made = uri_.get().empty() ? pipeline_to_file(path_.get().path, codec_.get())
                                           : pipeline_to_clients(codec_.get());
    options = std::move(made.options);
    encoder_ = made.encoder;
  }
  options.bitrate = bitrate_.get();
  const std::optional<PixelFormat> named = named_format(format_.get());
  options.has_mosaics = named && is_mosaic(*named);
  if (options.has_mosaics && text_.get().empty()) {
    throw Error(ErrorCode::InvalidParameter,
                "'format' " + std::string(name_of(*named)) +
                    " is for a 'pipeline'; for files and clients, put gxr::image::DemosaicMalvar "
                    "in between");
  }
  if (!credentials_.get().path.empty()) {
    Credentials read = read_credentials(credentials_.get().path);
    options.network.user = std::move(read.user);
    options.network.password = std::move(read.password);
  }
  serving_ = nullptr;
  if (uri_.get().empty() || shows()) {
    recording_ = gstreamer().make_recording(options, *this);
  } else {
    serve(options);
  }
}

void Sink::serve(RecordingOptions stream) {
  ServingOptions options{std::move(stream), parse_rtsp_address(uri_.get())};
  if (options.stream.network.user.empty() && !is_loopback(options.address)) {
    log_warning("other machines can see the pictures without a password; 'credentials' sets one");
  }
  std::unique_ptr<Serving> made = gstreamer().make_serving(options, *this);
  serving_ = made.get();
  recording_ = std::move(made);
}

void Sink::initialize() {
  static_cast<void>(gstreamer());
  is_sound_ = medium_.get() == Medium::Audio || is_sound_file(path_.get().path);
  require_element("appsrc");
  require_element(is_sound_ ? "audioconvert" : "videoconvert");
  make_recording();
  pictures_.reset();
  first_.reset();
  begun_ = false;
  sound_.reset();
  sound_clock_ = SoundClock();
  first_time_.reset();
  last_time_ = 0;
  told_of_times_ = false;
  written_ = 0;
  failure_.clear();
  thrown_ = false;
}

void Sink::start() {
  if (!path_.get().path.empty()) {
    make_folder_of(path_.get().path);
  }
  on_room();
  recording_->open();
  throw_failure();
  if (serving_ != nullptr) {
    log_info("serves " + text_of(serving_->address()));
  }
}

void Sink::check_format(const PictureFormat& format) {
  if (!pictures_) {
    pictures_ = format;
  }
  if (format.width != pictures_->width || format.height != pictures_->height ||
      format.pixels != pictures_->pixels) {
    throw Error(ErrorCode::WrongType,
                "a recording has pictures of one size: the first was " +
                    std::to_string(pictures_->width) + " x " + std::to_string(pictures_->height) +
                    " " + name_of(pictures_->pixels) + ", this one is " +
                    std::to_string(format.width) + " x " + std::to_string(format.height) + " " +
                    name_of(format.pixels));
  }
}

/// From the first picture on. A time that does not grow would confuse players, and is replaced.
std::int64_t Sink::time_of(const Message& message) {
  const double rate = frame_rate_.get() > 0.0 ? frame_rate_.get() : kUsualRate;
  const auto step = static_cast<std::int64_t>(std::llround(1e9 / rate));
  const auto* const stamp = message.find<Timestamp>();
  told_of_times_ = told_of_times_ && message.find<bool>("discontinuity") == nullptr;
  std::int64_t time = last_time_ + step;
  if (!first_time_) {
    first_time_ = stamp == nullptr ? 0 : stamp->acqtime;
    time = 0;
  } else if (stamp != nullptr) {
    const std::int64_t told = stamp->acqtime - *first_time_;
    if (told <= last_time_ && !told_of_times_) {
      told_of_times_ = true;
      log_warning("the timestamps of the messages do not grow; 'frame_rate' stands in for them");
    }
    time = told > last_time_ ? told : time;
  }
  last_time_ = time;
  return time;
}

std::string Sink::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

/// Once: a run has one error.
void Sink::throw_failure() {
  const std::string failed = failure();
  if (!failed.empty() && !thrown_) {
    thrown_ = true;
    throw Error(ErrorCode::InputOutput, failed);
  }
}

void Sink::tick() {
  throw_failure();
  Message message = in_.receive();
  if (is_sound_) {
    return take_sound(std::move(message));
  }
  const std::int64_t time = time_of(message);
  IncomingPicture picture = picture_in(std::move(message), in_tensor_name_.get(), format_.get());
  check_format(picture.format);
  take(std::move(picture), time);
  ++written_;
}

void Sink::take_sound(Message message) {
  const auto* const stamp = message.find<Timestamp>();
  const std::optional<std::int64_t> told =
      stamp == nullptr ? std::nullopt : std::optional<std::int64_t>(stamp->acqtime);
  IncomingSound sound = sound_in(std::move(message), in_tensor_name_.get());
  if (!sound_) {
    sound_ = sound.info;
    recording_->start_sound(sound.info);
  }
  if (sound.info.format != sound_->format || sound.info.channels != sound_->channels ||
      sound.info.sampling_rate != sound_->sampling_rate) {
    throw Error(ErrorCode::WrongType, "a recording has sound of one kind: the first was " +
                                          text_of(*sound_) + ", this one is " +
                                          text_of(sound.info));
  }
  const std::int64_t time = sound_clock_.time_of(sound.info, told);
  recording_->push_sound(sound.data, sound.bytes, std::move(sound.owner), time);
  ++written_;
}

/// From here on, pictures go into the pipeline; a first one that waited goes before.
void Sink::begin(double frame_rate) {
  begun_ = true;
  pictures_->frame_rate = frame_rate;
  recording_->start(*pictures_);
  if (first_) {
    recording_->push(first_->memory, first_->owner, 0);
    first_.reset();
  }
}

void Sink::take(IncomingPicture picture, std::int64_t time) {
  if (!begun_ && written_ == 0 && frame_rate_.get() == 0.0) {
    first_ = copy_of(picture);
    return;
  }
  if (!begun_) {
    begin(frame_rate_.get() > 0.0 ? frame_rate_.get()
          : time >= kShortestStep ? 1e9 / static_cast<double>(time)
                                  : kUsualRate);
  }
  recording_->push(picture.memory, std::move(picture.owner), time);
}

/// A pipeline that failed makes no room any more.
void Sink::on_full() {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) {
    term_->set_event_state(AsynchronousEventState::EventWaiting);
  }
}

void Sink::on_room() {
  const std::lock_guard lock(mutex_);
  term_->set_event_state(AsynchronousEventState::Ready);
}

void Sink::on_error(const std::string& text) {
  const std::lock_guard lock(mutex_);
  failure_ = failure_.empty() ? text : failure_;
  term_->set_event_state(AsynchronousEventState::Ready);  // the next tick says it
}

void Sink::on_warning(const std::string& text) { log_warning(text); }

void Sink::report_serving() const {
  const std::uint64_t dropped = serving_->dropped();
  log_info("served " + counted(written_, "picture") + " to " +
           counted(serving_->clients(), "client") + " (" + encoder_ + ")" +
           (dropped == 0 ? "" : ", dropped " + std::to_string(dropped)));
}

void Sink::report() const {
  if (serving_ != nullptr) {
    return report_serving();
  }
  const std::string where = shows() ? " on the screen"
                            : path_.get().path.empty()
                                ? ""
                                : ": " + path_.get().path + " (" + encoder_ + ")";
  if (is_sound_) {
    return log_info(written_ == 0
                        ? "wrote no sound"
                        : "wrote " + std::to_string(written_) +
                              (written_ == 1 ? " piece" : " pieces") + " of sound" + where);
  }
  log_info(written_ == 0   ? "wrote no picture"
           : written_ == 1 ? "wrote 1 picture" + where
                           : "wrote " + std::to_string(written_) + " pictures" + where);
}

void Sink::finish() {
  if (first_ && failure().empty()) {
    begin(kUsualRate);
  }
  if (written_ > 0 && failure().empty() &&
      !recording_->finish(std::chrono::nanoseconds(finish_timeout_.get().nanoseconds)) &&
      failure().empty()) {
    on_error("the pipeline did not finish in 'finish_timeout'; the file may lack its end");
  }
}

void Sink::stop() {
  finish();
  recording_->stop();
  report();
  throw_failure();
}

void Sink::deinitialize() {
  serving_ = nullptr;
  recording_.reset();
}

}  // namespace gxr::media
