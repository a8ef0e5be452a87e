#pragma once

#include "contract.hpp"
#include "gxr/kernels/orient.hpp"

/// An orientation as one of three steps, from and to pictures that may be read upside down.

namespace gxr::kernels {

enum class OrientationStep : std::uint8_t { kCopy, kMirror, kTranspose };

template <class T>
ImageView<T> upside_down(ImageView<T> view) {
  view.data = view.row(view.height - 1);
  view.row_stride = -view.row_stride;
  return view;
}

/// Turns views upside down as needed, and says which step does the rest.
template <class T>
OrientationStep split_orientation(ImageView<const T>& in, ImageView<T>& out,
                                  Orientation orientation) {
  switch (orientation) {
    case Orientation::kMirrored:
      return OrientationStep::kMirror;
    case Orientation::kHalfTurn:
      in = upside_down(in);
      return OrientationStep::kMirror;
    case Orientation::kFlipped:
      in = upside_down(in);
      return OrientationStep::kCopy;
    case Orientation::kTransposed:
      return OrientationStep::kTranspose;
    case Orientation::kTurnedRight:
      in = upside_down(in);
      return OrientationStep::kTranspose;
    case Orientation::kTransverse:
      in = upside_down(in);
      out = upside_down(out);
      return OrientationStep::kTranspose;
    case Orientation::kTurnedLeft:
      out = upside_down(out);
      return OrientationStep::kTranspose;
    default:
      return OrientationStep::kCopy;
  }
}

template <class T>
void require_orientable(ImageView<const T> in, ImageView<T> out, Orientation orientation) {
  require_image(in, "in");
  require_image(out, "out");
  require(orientation >= Orientation::kUpright && orientation <= Orientation::kTurnedLeft,
          "orientation is not between 1 and 8");
  const bool exchanges = exchanges_sides(orientation);
  require(out.width == (exchanges ? in.height : in.width) &&
              out.height == (exchanges ? in.width : in.height),
          "out does not have the size of in in this orientation");
  require_same_channels(in, out);
}

/// A pixel, to be moved as a whole.
template <class T, int Channels>
struct Pixel {
  T samples[Channels];
};

/// Calls `use` with Pixel<T, channels>{}.
template <class T, class Use>
void with_pixel(std::int64_t channels, const Use& use) {
  switch (channels) {
    case 1:
      return use(Pixel<T, 1>{});
    case 2:
      return use(Pixel<T, 2>{});
    case 3:
      return use(Pixel<T, 3>{});
    default:
      return use(Pixel<T, 4>{});
  }
}

}  // namespace gxr::kernels
