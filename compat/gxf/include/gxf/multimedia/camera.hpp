#pragma once

#include <array>
#include <cstdint>

namespace nvidia {
namespace gxf {

template <typename T>
struct Vector2 {
  T x;
  T y;
};

using Vector2u = Vector2<uint32_t>;
using Vector2f = Vector2<float>;
using Vector2d = Vector2<double>;

/// How a lens bends straight lines; says what the coefficients of a camera mean.
enum class DistortionType {
  Perspective,
  Brown,
  Polynomial,
  FisheyeEquidistant,
  FisheyeEquisolid,
  FisheyeOrthoGraphic,
  FisheyeStereographic,
};

/// Which point of a picture a direction falls on.
template <typename T>
struct CameraModelBase {
  static constexpr int kMaxDistortionCoefficients = 8;

  Vector2u dimensions;         ///< width and height of the picture, pixels
  Vector2<T> focal_length;     ///< pixels
  Vector2<T> principal_point;  ///< pixels
  T skew_value;
  DistortionType distortion_type;
  std::array<T, kMaxDistortionCoefficients> distortion_coefficients;
};

/// The same part of a message as gxr::CameraModel.
using CameraModel = CameraModelBase<float>;

/// Where something is: x' = rotation x + translation.
template <typename T>
struct Pose3DBase {
  std::array<T, 9> rotation;  ///< row by row
  std::array<T, 3> translation;
};

/// The same part of a message as gxr::Pose3D.
using Pose3D = Pose3DBase<float>;

}  // namespace gxf
}  // namespace nvidia
