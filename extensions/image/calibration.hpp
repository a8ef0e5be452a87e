#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/kernels/lens.hpp"

namespace gxr::image {

/// A camera, and the size of its pictures if that is known (else 0).
struct Calibration {
  kernels::LensModel lens;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// From a camera matrix, row by row, and distortion coefficients in OpenCV's order: k1, k2, p1, p2,
/// k3, k4, k5, k6, of which 0, 4, 5 or 8 are given. Throws Error(InvalidParameter) for other
/// numbers.
kernels::LensModel make_lens(const std::vector<double>& matrix,
                             const std::vector<double>& distortion);

/// Reads a file in YAML or JSON as OpenCV's FileStorage writes it, or as ROS has it: the matrices
/// `camera_matrix` and `distortion_coefficients`, and `image_width` and `image_height`, if they are
/// there. Throws Error: NotFound, InputOutput, InvalidData.
Calibration read_calibration(const std::string& path);

}  // namespace gxr::image
