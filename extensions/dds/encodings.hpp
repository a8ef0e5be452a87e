#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gxr/kernels/bayer.hpp"
#include "gxr/multimedia/video_format.hpp"
#include "gxr/tensor.hpp"

namespace gxr::dds {

/// In what a picture of ROS 2 differs from that of gxr.
enum class Arrangement : std::uint8_t {
  Same,
  LumaSecond,     ///< uyvy, which is yuyv with the bytes of each pair exchanged
  PairsBackward,  ///< nv21, which is NV12 with Cr before Cb
};

/// An encoding of pictures of ROS 2, and how gxr has such pictures.
struct Encoding {
  ElementType type = ElementType::UInt8;
  std::int32_t channels = 1;
  VideoFormat format = VideoFormat::Custom;                     ///< Custom: a tensor
  std::optional<kernels::BayerPattern> pattern = std::nullopt;  ///< of a mosaic
  Arrangement arrangement = Arrangement::Same;

  [[nodiscard]] std::uint64_t pixel_bytes() const noexcept {
    return size_of(type) * static_cast<std::uint64_t>(channels);
  }
};

/// By its name, as "rgb8" or "32FC3"; nothing for one that gxr has no picture for.
[[nodiscard]] std::optional<Encoding> find_encoding(std::string_view name);
/// The name for such a tensor, with a mosaic of that pattern; empty: there is none.
[[nodiscard]] std::string encoding_of_tensor(ElementType type, std::int32_t channels,
                                             std::optional<kernels::BayerPattern> pattern);
/// The name for pictures of that format; empty: there is none.
[[nodiscard]] std::string encoding_of_format(VideoFormat format);
/// "rgb8, rgba8, …", for messages: all that can be read.
[[nodiscard]] std::string known_encodings();
/// Those that pictures of gxr have as they are.
[[nodiscard]] std::string writable_encodings();

}  // namespace gxr::dds
