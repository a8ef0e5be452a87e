#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gxr/kernels/bayer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/port.hpp"
#include "gxr/tensor.hpp"

/// VideoBuffers whose pixels lie side by side in one plane, seen as tensors.

namespace gxr::image {

/// A format of one plane: what a pixel has in memory, and which of it makes the picture.
struct PackedFormat {
  VideoFormat format = VideoFormat::Custom;
  ElementType type = ElementType::UInt8;
  std::int64_t samples = 0;    ///< of a pixel in memory
  std::int64_t channels = 0;   ///< of the picture, where red comes first and alpha last
  std::array<int, 4> order{};  ///< channel c is sample order[c]
  /// Of a raw sensor picture.
  std::optional<kernels::BayerPattern> bayer;

  /// Is the picture the memory as it is?
  [[nodiscard]] bool is_in_order() const noexcept { return samples == channels && order[0] == 0; }
};

/// nullptr for formats of several planes and of other elements than uint8, uint16 and float32.
const PackedFormat* find_packed_format(VideoFormat format) noexcept;

/// The pixels of a picture in such a format, with all samples: a tensor over its memory, valid as
/// long as the buffer. `name` and `port` appear in error texts. Throws Error: WrongType for another
/// format, with what to do, InvalidData for memory that does not hold the picture.
Tensor packed_pixels(const VideoBuffer& buffer, std::string_view name, std::string_view port);

/// The format that holds a picture of this kind; nothing where there is none.
std::optional<VideoFormat> packed_format_for(ElementType type, std::int64_t channels) noexcept;

/// Declares that a port takes tensors, or VideoBuffers in such formats. `port` speaks of a tensor.
PortDeclaration takes_pictures(PortDeclaration port);

}  // namespace gxr::image
