#pragma once

#include <cstdint>
#include <span>

namespace gxr::image {

/// The orientation that the APP1 segment of a JPEG file tells, 1 to 8; 1 where it tells none, or is
/// no EXIF, or is damaged: the picture itself may be whole.
int exif_orientation(std::span<const std::uint8_t> segment) noexcept;

}  // namespace gxr::image
