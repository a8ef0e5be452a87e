#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// A way to turn and mirror a picture. The numbers are those of EXIF's tag Orientation, for
/// pictures that need it to stand upright.
enum class Orientation : std::uint8_t {
  kUpright = 1,      ///< nothing
  kMirrored = 2,     ///< left and right change places
  kHalfTurn = 3,     ///< turned by 180 degrees
  kFlipped = 4,      ///< top and bottom change places
  kTransposed = 5,   ///< rows become columns
  kTurnedRight = 6,  ///< turned clockwise by 90 degrees
  kTransverse = 7,   ///< transposed and turned by 180 degrees
  kTurnedLeft = 8,   ///< turned counterclockwise by 90 degrees
};

/// Do width and height change places?
constexpr bool exchanges_sides(Orientation orientation) {
  return orientation >= Orientation::kTransposed;
}

/// Copies `in` in another orientation. `out` has its size, or, for orientations that exchange the
/// sides, its height as width and its width as height; and as many channels. Instances: uint8_t,
/// uint16_t, float.
template <class T>
void orient(ImageInput<T> in, ImageView<T> out, Orientation orientation);

/// The same on a stream, for views of device memory.
template <class T>
void orient(ImageInput<T> in, ImageView<T> out, Orientation orientation, Stream stream);

}  // namespace gxr::kernels
