#include "media/containers.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "gxr/error.hpp"
#include "media/load_gstreamer.hpp"

namespace gxr::media {
namespace {

struct Encoder {
  Codec codec;
  const char* colours;  // caps of the pictures, besides their format
  const char* element;
  const char* settings;
  const char* live;    // further settings
  const char* behind;  // what follows the element
  const char* bitrate;
  std::int64_t bitrate_unit;
  bool has_threads = false;
};

// A parser of plugins-bad would find these facts. An mp4 file must tell them, and mp4mux of 1.22
// crashes without the colours.
constexpr const char* kVp9Facts =
    " ! capssetter caps=\"video/x-vp9,profile=(string)0,chroma-format=(string)4:2:0,"
    "bit-depth-luma=(uint)8,bit-depth-chroma=(uint)8,"
    "colorimetry=(string)bt709,chroma-site=(string)mpeg2\"";
constexpr const char* kVp9Colours = ",colorimetry=bt709,chroma-site=mpeg2";
// A key picture at least every 60 pictures, so that players find one soon. Fast settings: those who
// record must not slow down what they record.
constexpr std::array<Encoder, 5> kEncoders = {{
    {Codec::H264, "", "x264enc", "speed-preset=veryfast key-int-max=60", " tune=zerolatency", "",
     "bitrate", 1000},
    {Codec::H264, "", "openh264enc", "gop-size=60", "", " ! h264parse", "bitrate", 1},
    {Codec::Vp8, "", "vp8enc", "deadline=1 cpu-used=-6 keyframe-max-dist=60", "", "",
     "target-bitrate", 1, true},
    {Codec::Vp9, kVp9Colours, "vp9enc", "deadline=1 cpu-used=7 row-mt=true keyframe-max-dist=60",
     " lag-in-frames=0", kVp9Facts, "target-bitrate", 1, true},
    {Codec::Jpeg, "", "jpegenc", "quality=90", "", "", "", 1},
}};

/// The encoder's settings; it leaves a core to the application.
std::string settings_of(const Encoder& encoder) {
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 2U, 9U);
  return encoder.settings +
         (encoder.has_threads ? " threads=" + std::to_string(cores - 1) : std::string{});
}

struct Container {
  std::string_view extension;
  const char* element;
  const char* settings;
  std::array<Codec, 4> codecs;  // the first that can be encoded is taken
  std::size_t codec_count;

  [[nodiscard]] std::span<const Codec> all() const { return {codecs.data(), codec_count}; }
};

// Files of these kinds can be read up to the last fragment when the process is killed.
constexpr std::array<Container, 4> kContainers = {{
    {".mp4",
     "mp4mux",
     "fragment-duration=1000 fragment-mode=first-moov-then-finalise",
     {Codec::H264, Codec::Vp9},
     2},
    {".mkv", "matroskamux", "", {Codec::H264, Codec::Vp8, Codec::Vp9, Codec::Jpeg}, 4},
    {".webm", "webmmux", "", {Codec::Vp8, Codec::Vp9}, 2},
    {".avi", "avimux", "", {Codec::Jpeg, Codec::H264, Codec::Vp8}, 3},
}};

/// A kind of file with sound alone; the first that is installed is taken.
struct SoundKind {
  std::string_view extension;
  const char* encoder;
  const char* behind;   // what follows it
  const char* bitrate;  // its property; empty: it has none
};

constexpr std::array<SoundKind, 4> kSoundKinds = {{
    {".wav", "wavenc", "", ""},
    {".flac", "flacenc", "", ""},
    {".ogg", "vorbisenc", " ! oggmux", "bitrate"},
    {".ogg", "opusenc", " ! oggmux", "bitrate"},
}};

const SoundKind* find_sound_kind(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return std::ranges::find(kSoundKinds, extension, &SoundKind::extension);
}

/// How a server sends what an encoder makes.
struct Payload {
  Codec codec;
  const char* element;
  const char* settings;
};

constexpr std::array<Payload, 4> kPayloads = {{
    {Codec::H264, "rtph264pay", "config-interval=-1"},
    {Codec::Vp8, "rtpvp8pay", ""},
    {Codec::Jpeg, "rtpjpegpay", ""},
    {Codec::Vp9, "rtpvp9pay", ""},
}};

std::string name_of(Codec codec) {
  for (const auto& [value, name] : EnumNames<Codec>::values) {
    if (value == codec) {
      return name;
    }
  }
  return {};
}

/// "h264 or vp9"
std::string list_of(std::span<const Codec> codecs) {
  std::string text;
  for (std::size_t i = 0; i < codecs.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == codecs.size() ? " or " : ", ") + name_of(codecs[i]);
  }
  return text;
}

const Container& container_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto* const found = std::ranges::find(kContainers, extension, &Container::extension);
  if (found == kContainers.end()) {
    throw Error(ErrorCode::InvalidParameter,
                "'path': " + path +
                    ": a name ends with .mp4, .mkv, .webm or .avi, that of a "
                    "sound with .wav, .flac or .ogg; other files need a 'pipeline'");
  }
  return *found;
}

const Encoder& encoder_of(std::span<const Codec> codecs) {
  std::string wanted;
  for (const Codec codec : codecs) {
    for (const Encoder& encoder : kEncoders) {
      if (encoder.codec == codec && gstreamer().has(encoder.element)) {
        return encoder;
      }
      wanted +=
          encoder.codec != codec ? "" : (wanted.empty() ? "" : ", ") + std::string(encoder.element);
    }
  }
  throw Error(ErrorCode::NotSupported,
              "GStreamer has no encoder for " + list_of(codecs) + " (" + wanted +
                  "): x264enc is in gstreamer1.0-plugins-ugly, openh264enc in "
                  "gstreamer1.0-plugins-bad, the others in gstreamer1.0-plugins-good");
}

/// From pictures to what the encoder makes. A live one keeps no picture back.
MadePipeline pipeline_to(const Encoder& encoder, bool live) {
  MadePipeline made;
  made.encoder = encoder.element;
  made.options.bitrate_property = encoder.bitrate;
  made.options.bitrate_unit = encoder.bitrate_unit;
  made.options.pipeline = std::string("video/x-raw,format=I420") + encoder.colours + " ! " +
                          encoder.element + " name=gxr_encoder " + settings_of(encoder) +
                          (live ? encoder.live : "") + encoder.behind;
  return made;
}

}  // namespace

MadePipeline pipeline_to_file(const std::string& path, Codec codec) {
  const Container& container = container_of(path);
  std::span<const Codec> codecs = container.all();
  if (codec != Codec::Auto) {
    const auto found = std::ranges::find(codecs, codec);
    if (found == codecs.end()) {
      throw Error(ErrorCode::InvalidParameter, "'codec': a " + std::string(container.extension) +
                                                   " file holds " + list_of(codecs) + ", not " +
                                                   name_of(codec));
    }
    codecs = codecs.subspan(static_cast<std::size_t>(found - codecs.begin()), 1);
  }
  const Encoder& encoder = encoder_of(codecs);
  require_element(container.element);
  require_element("filesink");
  MadePipeline made = pipeline_to(encoder, false);
  made.options.pipeline += std::string(" ! ") + container.element + " name=gxr_muxer " +
                           container.settings + " ! filesink location=" + quoted_for_pipeline(path);
  return made;
}

bool is_sound_file(const std::string& path) { return find_sound_kind(path) != kSoundKinds.end(); }

MadePipeline pipeline_to_sound_file(const std::string& path) {
  const auto* kind = find_sound_kind(path);
  const auto* const other = kind + 1;
  if (other != kSoundKinds.end() && other->extension == kind->extension &&
      !gstreamer().has(kind->encoder)) {
    kind = other;
  }
  require_element(kind->encoder);
  require_element("filesink");
  MadePipeline made;
  made.encoder = kind->encoder;
  made.options.medium = Medium::Audio;
  made.options.bitrate_property = kind->bitrate;
  made.options.pipeline = std::string(kind->encoder) + " name=gxr_encoder" + kind->behind +
                          " ! filesink location=" + quoted_for_pipeline(path);
  return made;
}

MadePipeline pipeline_to_clients(Codec codec) {
  std::vector<Codec> codecs;
  for (const Payload& payload : kPayloads) {
    if (codec == Codec::Auto || codec == payload.codec) {
      codecs.push_back(payload.codec);
    }
  }
  const Encoder& encoder = encoder_of(codecs);
  const auto* const payload = std::ranges::find(kPayloads, encoder.codec, &Payload::codec);
  require_element(payload->element);
  MadePipeline made = pipeline_to(encoder, true);
  made.options.pipeline +=
      std::string(" ! ") + payload->element + " name=pay0 " + payload->settings;
  return made;
}

}  // namespace gxr::media
