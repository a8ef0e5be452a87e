#include "dds/encodings.hpp"

#include <array>
#include <utility>

#include "gxr/plain_text.hpp"

namespace gxr::dds {
namespace {

using kernels::BayerPattern;

struct NamedEncoding {
  std::string_view name;
  Encoding encoding;
};

constexpr ElementType kUInt8 = ElementType::UInt8;
constexpr ElementType kUInt16 = ElementType::UInt16;

/// Of several for the same pictures, the first is written.
constexpr NamedEncoding kEncodings[] = {
    {"rgb8", {kUInt8, 3}},
    {"rgba8", {kUInt8, 4}},
    {"rgb16", {kUInt16, 3}},
    {"rgba16", {kUInt16, 4}},
    {"bgr8", {kUInt8, 3, VideoFormat::Bgr}},
    {"bgra8", {kUInt8, 4, VideoFormat::Bgra}},
    {"bgr16", {kUInt16, 3, VideoFormat::Bgr16}},
    {"mono8", {kUInt8, 1}},
    {"mono16", {kUInt16, 1}},
    {"yuv422_yuy2", {kUInt8, 2}},
    {"yuyv", {kUInt8, 2}},
    {"uyvy", {kUInt8, 2, VideoFormat::Custom, std::nullopt, Arrangement::LumaSecond}},
    {"yuv422", {kUInt8, 2, VideoFormat::Custom, std::nullopt, Arrangement::LumaSecond}},
    {"nv21", {kUInt8, 1, VideoFormat::Nv12, std::nullopt, Arrangement::PairsBackward}},
    {"bayer_rggb8", {kUInt8, 1, VideoFormat::Custom, BayerPattern::kRggb}},
    {"bayer_bggr8", {kUInt8, 1, VideoFormat::Custom, BayerPattern::kBggr}},
    {"bayer_grbg8", {kUInt8, 1, VideoFormat::Custom, BayerPattern::kGrbg}},
    {"bayer_gbrg8", {kUInt8, 1, VideoFormat::Custom, BayerPattern::kGbrg}},
    {"bayer_rggb16", {kUInt16, 1, VideoFormat::Custom, BayerPattern::kRggb}},
    {"bayer_bggr16", {kUInt16, 1, VideoFormat::Custom, BayerPattern::kBggr}},
    {"bayer_grbg16", {kUInt16, 1, VideoFormat::Custom, BayerPattern::kGrbg}},
    {"bayer_gbrg16", {kUInt16, 1, VideoFormat::Custom, BayerPattern::kGbrg}},
};

/// Formats of one plane whose tensors have the same order of channels.
constexpr std::pair<VideoFormat, std::string_view> kFormats[] = {
    {VideoFormat::Rgb, "rgb8"},   {VideoFormat::Rgba, "rgba8"},    {VideoFormat::Bgr, "bgr8"},
    {VideoFormat::Bgra, "bgra8"}, {VideoFormat::Rgb16, "rgb16"},   {VideoFormat::Bgr16, "bgr16"},
    {VideoFormat::Gray, "mono8"}, {VideoFormat::Gray16, "mono16"}, {VideoFormat::Gray32F, "32FC1"},
};

/// Those by the number of bits, as "16SC2".
constexpr std::pair<std::string_view, ElementType> kElements[] = {
    {"8U", kUInt8},
    {"8S", ElementType::Int8},
    {"16U", kUInt16},
    {"16S", ElementType::Int16},
    {"32S", ElementType::Int32},
    {"32F", ElementType::Float32},
    {"64F", ElementType::Float64},
};
constexpr std::int32_t kMostChannels = 4;

std::string list_encodings(bool as_they_are) {
  std::string text;
  for (const NamedEncoding& each : kEncodings) {
    if (!as_they_are || each.encoding.arrangement == Arrangement::Same) {
      text += std::string(each.name) + ", ";
    }
  }
  return text + "8UC1 to 64FC4";
}

}  // namespace

std::optional<Encoding> find_encoding(std::string_view name) {
  for (const NamedEncoding& each : kEncodings) {
    if (each.name == name) {
      return each.encoding;
    }
  }
  for (const auto& [prefix, type] : kElements) {
    if (!name.starts_with(prefix)) {
      continue;
    }
    const std::string_view rest = name.substr(prefix.size());
    if (rest.size() == 2 && rest[0] == 'C' && rest[1] >= '1' && rest[1] <= '0' + kMostChannels) {
      return Encoding{type, rest[1] - '0'};
    }
  }
  return std::nullopt;
}

std::string encoding_of_tensor(ElementType type, std::int32_t channels,
                               std::optional<BayerPattern> pattern) {
  for (const NamedEncoding& each : kEncodings) {
    const Encoding& known = each.encoding;
    if (known.type == type && known.channels == channels && known.pattern == pattern &&
        known.format == VideoFormat::Custom) {
      return std::string(each.name);
    }
  }
  for (const auto& [prefix, element] : kElements) {
    if (element == type && channels >= 1 && channels <= kMostChannels) {
      return std::string(prefix) + "C" + std::to_string(channels);
    }
  }
  return {};
}

std::string encoding_of_format(VideoFormat format) {
  for (const auto& [known, name] : kFormats) {
    if (known == format) {
      return std::string(name);
    }
  }
  return {};
}

std::string known_encodings() { return list_encodings(false); }
std::string writable_encodings() { return list_encodings(true); }

}  // namespace gxr::dds
