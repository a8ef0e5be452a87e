#include "gxr/kernels/lens.hpp"

#include <algorithm>
#include <cmath>

#include "contract.hpp"
#include "remap_sample.hpp"

namespace gxr::kernels {
namespace {

/// Places far outside the picture are as good as any other there.
std::int32_t in_steps(double place) {
  constexpr double kFar = static_cast<double>(kMostRemapSide);
  const double near = std::isnan(place) ? -kFar : std::clamp(place, -kFar, kFar);
  return static_cast<std::int32_t>(std::lround(near * (1 << kPlaceBits)));
}

PicturePlace distorted(const LensModel& lens, std::int64_t column, std::int64_t row) {
  const double x = (static_cast<double>(column) - lens.center_x) / lens.focal_x;
  const double y = (static_cast<double>(row) - lens.center_y) / lens.focal_y;
  const double r2 = x * x + y * y;
  const double radial = (1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3))) /
                        (1 + r2 * (lens.k4 + r2 * (lens.k5 + r2 * lens.k6)));
  const double moved_x = x * radial + 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x);
  const double moved_y = y * radial + lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y;
  return {in_steps(lens.focal_x * moved_x + lens.center_x),
          in_steps(lens.focal_y * moved_y + lens.center_y)};
}

void require_lens(const LensModel& lens) {
  const double numbers[] = {lens.focal_x, lens.focal_y, lens.center_x, lens.center_y,
                            lens.k1,      lens.k2,      lens.p1,       lens.p2,
                            lens.k3,      lens.k4,      lens.k5,       lens.k6};
  for (const double number : numbers) {
    require(std::isfinite(number), "a number of the lens is not finite");
  }
  require(lens.focal_x > 0 && lens.focal_y > 0, "a focal length is not above 0");
}

}  // namespace

std::vector<PicturePlace> undistorted_places(const LensModel& lens, std::int64_t width,
                                             std::int64_t height) {
  require_lens(lens);
  require(width >= 1 && height >= 1 && width <= kMostRemapSide && height <= kMostRemapSide,
          "a side is not between 1 and 2^22");
  std::vector<PicturePlace> places;
  places.reserve(static_cast<std::size_t>(width * height));
  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t column = 0; column < width; ++column) {
      places.push_back(distorted(lens, column, row));
    }
  }
  return places;
}

}  // namespace gxr::kernels
