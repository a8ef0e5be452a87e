#include "media/containers.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "gxr/error.hpp"
#include "media/load_gstreamer.hpp"

namespace gxr::media {
namespace {

struct Encoder {
  Codec codec;
  const char* element;
  const char* settings;
  const char* behind;  // what follows the element
  const char* bitrate;
  std::int64_t bitrate_unit;
};

// A key picture at least every 60 pictures, so that players find one soon.
constexpr std::array<Encoder, 5> kEncoders = {{
    {Codec::H264, "x264enc", "speed-preset=veryfast key-int-max=60", "", "bitrate", 1000},
    {Codec::H264, "openh264enc", "gop-size=60", " ! h264parse", "bitrate", 1},
    {Codec::Vp8, "vp8enc", "deadline=1 cpu-used=4 threads=4 keyframe-max-dist=60", "",
     "target-bitrate", 1},
    {Codec::Vp9, "vp9enc", "deadline=1 cpu-used=7 threads=4 row-mt=true keyframe-max-dist=60", "",
     "target-bitrate", 1},
    {Codec::Jpeg, "jpegenc", "quality=90", "", "", 1},
}};

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
                "'path': " + path + ": a name ends with .mp4, .mkv, .webm or .avi; other files "
                                    "need a 'pipeline'");
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
      wanted += encoder.codec != codec ? "" : (wanted.empty() ? "" : ", ") +
                                                  std::string(encoder.element);
    }
  }
  throw Error(ErrorCode::NotSupported,
              "GStreamer has no encoder for " + list_of(codecs) + " (" + wanted +
                  "): x264enc is in gstreamer1.0-plugins-ugly, openh264enc in "
                  "gstreamer1.0-plugins-bad, the others in gstreamer1.0-plugins-good");
}

}  // namespace

FilePipeline pipeline_to_file(const std::string& path, Codec codec) {
  const Container& container = container_of(path);
  std::span<const Codec> codecs = container.all();
  if (codec != Codec::Auto) {
    const auto found = std::ranges::find(codecs, codec);
    if (found == codecs.end()) {
      throw Error(ErrorCode::InvalidParameter,
                  "'codec': a " + std::string(container.extension) + " file holds " +
                      list_of(codecs) + ", not " + name_of(codec));
    }
    codecs = codecs.subspan(static_cast<std::size_t>(found - codecs.begin()), 1);
  }
  const Encoder& encoder = encoder_of(codecs);
  require_element(container.element);
  require_element("filesink");
  FilePipeline made;
  made.encoder = encoder.element;
  made.options.bitrate_property = encoder.bitrate;
  made.options.bitrate_unit = encoder.bitrate_unit;
  made.options.pipeline = std::string(encoder.element) + " name=gxr_encoder " + encoder.settings +
                          encoder.behind + " ! " + container.element + " " + container.settings +
                          " ! filesink location=" + quoted_for_pipeline(path);
  return made;
}

}  // namespace gxr::media
