#pragma once

#include <cstdint>
#include <vector>

#include "gxr/kernels/remap.hpp"

namespace gxr::kernels {

/// A camera by Brown and Conrady, as OpenCV has it: focal lengths and the middle of the picture in
/// pixels, and coefficients of radial (k) and tangential (p) distortion.
struct LensModel {
  double focal_x = 1;
  double focal_y = 1;
  double center_x = 0;
  double center_y = 0;
  double k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0;
};

/// Where the pixels of an undistorted picture lie in one that the camera took: places for
/// remap_bilinear(). Both pictures have the same size and the same focal lengths and middle. Throws
/// std::invalid_argument unless focal lengths are above 0, all numbers finite, and the sides
/// between 1 and 2^22.
std::vector<PicturePlace> undistorted_places(const LensModel& lens, std::int64_t width,
                                             std::int64_t height);

}  // namespace gxr::kernels
