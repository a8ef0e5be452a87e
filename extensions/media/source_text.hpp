#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "media/pixel_format.hpp"

namespace gxr::media {

/// The mode that a camera or a test pattern is asked for; 0: its own.
struct RequestedMode {
  std::int32_t width = 0;
  std::int32_t height = 0;
  double frame_rate = 0.0;

  [[nodiscard]] bool is_any() const { return width == 0 && height == 0 && frame_rate == 0.0; }
};

/// The beginning of a pipeline that delivers what `uri` names: a file by its path or URI,
/// `test://PATTERN`, `v4l2:///dev/videoN`, `screen://`, or what GStreamer's uridecodebin knows.
/// Throws Error: NotFound or InputOutput for a file that cannot be read, InvalidParameter,
/// NotSupported without the elements. The mosaic of a sensor comes only from cameras and, with 8
/// bits, test patterns.
std::string pipeline_of_uri(const std::string& uri, const RequestedMode& mode,
                            PixelFormat format = PixelFormat::Rgb);

/// The same for sound; test://WAVE is one of audiotestsrc.
std::string sound_pipeline_of_uri(const std::string& uri);

/// The file or device of this machine that `uri` names, if there is none of that name; else empty.
std::string missing_file(const std::string& uri);

/// Does it begin with "scheme:", of at least two letters?
bool has_scheme(std::string_view uri);

/// A rate as GStreamer writes it: "30/1", "2997/100".
std::string fraction_of(double frame_rate);

}  // namespace gxr::media
