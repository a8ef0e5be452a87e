#pragma once

#include <cstdint>

namespace gxr::image {

/// Largest side of a picture that is read, made or scaled to. A damaged header is refused before
/// memory is asked for.
inline constexpr std::int64_t kMaxSide = 65535;
/// Most pixels of a picture that is read or made.
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 28;

}  // namespace gxr::image
