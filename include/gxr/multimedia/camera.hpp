#pragma once

#include <array>
#include <cstdint>

#include "gxr/type_id.hpp"

namespace gxr {

/// How a lens bends straight lines; says what the coefficients of a CameraModel mean.
enum class DistortionType : std::int32_t {
  Perspective = 0,  ///< not at all
  Brown = 1,        ///< radial k1 k2 k3, tangential p1 p2
  Polynomial = 2,   ///< radial k1 … k6, tangential p1 p2
  FisheyeEquidistant = 3,
  FisheyeEquisolid = 4,
  FisheyeOrthographic = 5,
  FisheyeStereographic = 6,
};

/// Which point of a picture a direction falls on.
struct CameraModel {
  /// Room for the coefficients of every DistortionType.
  static constexpr std::size_t kMaxDistortionCoefficients = 8;

  std::array<std::uint32_t, 2> dimensions{};  ///< width and height of the picture, pixels
  std::array<float, 2> focal_length{};        ///< horizontal and vertical, pixels
  std::array<float, 2> principal_point{};     ///< pixels
  float skew_value = 0;                       ///< between the axes
  /// Says what the coefficients mean.
  DistortionType distortion_type = DistortionType::Perspective;
  /// Those that the type does not use are 0.
  std::array<float, kMaxDistortionCoefficients> distortion_coefficients{};
};

/// Where something is: x' = rotation x + translation.
struct Pose3D {
  std::array<float, 9> rotation{};     ///< row by row
  std::array<float, 3> translation{};  ///< in the unit of the scene
};

template <>
struct TypeIdOf<CameraModel> {
  static constexpr TypeId value{0xbac444bdf13b4927ULL, 0x85c1db5e1947f890ULL};
};
template <>
struct TypeIdOf<Pose3D> {
  static constexpr TypeId value{0xda8387d9d8ab425fULL, 0x909b814694f148efULL};
};

}  // namespace gxr
