#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "gxr/parameter.hpp"
#include "media/gstreamer.hpp"

namespace gxr {
namespace media {

enum class Codec : std::uint8_t { Auto, H264, Vp8, Vp9, Jpeg };

/// A pipeline from pictures to where they go.
struct MadePipeline {
  RecordingOptions options;  ///< `pipeline`, and what it says of the encoder
  std::string encoder;       ///< "vp8enc"
};

/// By the path's extension, and with the first encoder that is installed of those that fit.
/// Throws Error: InvalidParameter for an extension that is not known or a codec that it does not
/// hold, NotSupported, which names packages, when there is no encoder.
MadePipeline pipeline_to_file(const std::string& path, Codec codec);

/// Is it the name of a file of sound: .wav, .flac or .ogg?
bool is_sound_file(const std::string& path);

/// Of such a file. Throws Error(NotSupported), which names packages, when an element is missing.
MadePipeline pipeline_to_sound_file(const std::string& path);

/// Up to the payloader of an RTSP server; likewise.
MadePipeline pipeline_to_clients(Codec codec);

}  // namespace media

template <>
struct EnumNames<media::Codec> {
  static constexpr std::pair<media::Codec, const char*> values[] = {
      {media::Codec::Auto, "auto"}, {media::Codec::H264, "h264"}, {media::Codec::Vp8, "vp8"},
      {media::Codec::Vp9, "vp9"},   {media::Codec::Jpeg, "jpeg"},
  };
};

}  // namespace gxr
