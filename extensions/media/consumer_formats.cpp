#include "media/consumer_formats.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "gxr/type_name.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::media {
namespace {

constexpr std::array<PixelFormat, kFormatFacts.size()> kByPreference = {
    PixelFormat::Rgb,     PixelFormat::Bgr,    PixelFormat::Rgba,    PixelFormat::Gray8,
    PixelFormat::Gray16,  PixelFormat::Yuy2,   PixelFormat::Nv12,    PixelFormat::I420,
    PixelFormat::P010,    PixelFormat::Bayer8, PixelFormat::Bayer10, PixelFormat::Bayer12,
    PixelFormat::Bayer14, PixelFormat::Bayer16};

constexpr std::array<VideoFormat, 4> kNv12 = {VideoFormat::Nv12, VideoFormat::Nv12Er,
                                              VideoFormat::Nv12Bt709, VideoFormat::Nv12Bt709Er};
constexpr std::array<VideoFormat, 4> kI420 = {VideoFormat::Yuv420, VideoFormat::Yuv420Er,
                                              VideoFormat::Yuv420Bt709, VideoFormat::Yuv420Bt709Er};
constexpr std::array<VideoFormat, 1> kP010 = {VideoFormat::Custom};

std::span<const VideoFormat> video_formats_of(PixelFormat format) {
  return format == PixelFormat::Nv12   ? std::span<const VideoFormat>(kNv12)
         : format == PixelFormat::I420 ? std::span<const VideoFormat>(kI420)
                                       : std::span<const VideoFormat>(kP010);
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool is_tensor(const PartInfo& part) { return part.type == type_name<Tensor>(); }
bool is_video_buffer(const PartInfo& part) { return part.type == type_name<VideoBuffer>(); }
bool is_pattern(const PartInfo& part) { return part.type == type_name<image::BayerPattern>(); }

/// Does the part speak of the pictures?
bool is_picture(const PartInfo& part, const std::string& name) {
  return (is_tensor(part) || is_video_buffer(part)) && (part.name.empty() || part.name == name);
}

bool fits_tensor(const PartInfo& part, PixelFormat format) {
  const FormatFacts& facts = facts_of(format);
  const bool has_rank = !part.rank || *part.rank == 3;
  const bool has_samples =
      part.dimensions.empty() || (part.dimensions.size() == 3 &&
                                  (part.dimensions[2] < 0 || part.dimensions[2] == facts.samples));
  return is_tensor(part) && has_rank && has_samples &&
         is_among(part.elements, to_string(facts.type));
}

bool fits_planes(const PartInfo& part, PixelFormat format) {
  return is_video_buffer(part) &&
         std::ranges::any_of(video_formats_of(format), [&](VideoFormat each) {
           return is_among(part.formats, to_string(each));
         });
}

bool takes(const Consumer& consumer, const std::string& name, PixelFormat format) {
  bool any = false;
  bool fits = false;
  for (const PartInfo& part : consumer.port.parts) {
    if (is_picture(part, name)) {
      any = true;
      fits = fits || (is_planar(format) ? fits_planes(part, format) : fits_tensor(part, format));
    }
    if (is_pattern(part) && !part.optional && !is_mosaic(format)) {
      return false;
    }
  }
  return fits || !any;
}

bool needs_pattern(const Consumer& consumer) {
  return std::ranges::any_of(
      consumer.port.parts, [](const PartInfo& part) { return is_pattern(part) && !part.optional; });
}

/// The formats that it takes: "'grey/operator' takes GRAY8 on 'in'".
std::string text_of(const Consumer& consumer, const std::string& name) {
  std::string formats;
  for (const PixelFormat format : kByPreference) {
    if (takes(consumer, name, format) && (!is_mosaic(format) || needs_pattern(consumer))) {
      formats += (formats.empty() ? "" : ", ") + std::string(name_of(format));
    }
  }
  return "'" + consumer.codelet + "' takes " + (formats.empty() ? "no picture" : formats) +
         " on '" + consumer.port.key + "'";
}

}  // namespace

PixelFormat format_for(const std::vector<Consumer>& consumers, const std::string& part_name) {
  const bool wants_mosaic = std::ranges::any_of(consumers, needs_pattern);
  const auto* const found = std::ranges::find_if(kByPreference, [&](PixelFormat format) {
    return is_mosaic(format) == wants_mosaic &&
           std::ranges::all_of(
               consumers, [&](const Consumer& each) { return takes(each, part_name, format); });
  });
  if (found != kByPreference.end()) {
    return *found;
  }
  std::string text;
  for (const Consumer& each : consumers) {
    text += (text.empty() ? "" : ", ") + text_of(each, part_name);
  }
  throw Error(ErrorCode::InvalidParameter,
              "no format of pictures suits all that get them: " + text +
                  "; put an operator in between that converts, or set 'format'");
}

}  // namespace gxr::media
