#pragma once

#include <cstdint>
#include <vector>

#include "gxr/kernels/image_view.hpp"

namespace gxr::kernels {

/// A part of a picture that hangs together, and the smallest rectangle around it.
struct Area {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t right = 0;   ///< the first column behind it
  std::int64_t bottom = 0;  ///< the first row below it
  std::int64_t pixels = 0;  ///< that are not 0

  friend bool operator==(const Area& a, const Area& b) noexcept {
    return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom &&
           a.pixels == b.pixels;
  }
};

/// The areas of pixels that are not 0, in the order of their first cells, row by row. `mask` has
/// one channel. It is divided into cells of `cell` x `cell` pixels (at least 1), beginning at the
/// top left; the last ones may be smaller. Cells with such pixels that touch, also at a corner, are
/// one area; with a `cell` of 1, areas are connected components of 8 neighbours. Areas with fewer
/// than `least_pixels` pixels are left out. Instances: uint8_t, uint16_t, float.
template <class T>
std::vector<Area> find_areas(ImageView<const T> mask, std::int64_t cell, std::int64_t least_pixels);

}  // namespace gxr::kernels
