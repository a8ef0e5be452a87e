#pragma once

#include <cmath>

#include "color_sums.hpp"
#include "contract.hpp"
#include "gxr/kernels/brightness.hpp"

namespace gxr::kernels {

/// The thresholds for one picture, as sums of its colours are compared with them. Host and device
/// share this, so that both count the same.
struct BrightnessLimits {
  std::uint64_t weights[3];  ///< of the colours; 10000 together
  std::uint64_t of[BrightnessThresholds::kMost];
  int count;

  [[nodiscard]] GXR_HOST_DEVICE std::int32_t reached(const std::uint64_t* sums) const {
    const std::uint64_t luminance =
        weights[0] * sums[0] + weights[1] * sums[1] + weights[2] * sums[2];
    std::int32_t number = 0;
    while (number < count && luminance >= of[number]) {
      ++number;
    }
    return number;
  }
};

inline void require_thresholds(const BrightnessThresholds& thresholds) {
  require(thresholds.count >= 0 && thresholds.count <= BrightnessThresholds::kMost,
          "there must be 0 to 16 thresholds");
  double before = -1.0;
  for (int i = 0; i < thresholds.count; ++i) {
    const double now = thresholds.of[i];
    require(now >= 0.0 && now <= 1.0, "thresholds must be 0 to 1");
    require(now > before, "every threshold must be above the one before");
    before = now;
  }
}

/// Throws std::invalid_argument as brightness_class() does. 2^32 pixels of the most that 16 bits
/// hold, weighted, are below 2^62.
template <class T>
BrightnessLimits brightness_limits(ImageView<const T> image,
                                   const BrightnessThresholds& thresholds) {
  require_image(image, "image");
  require(image.width <= std::int64_t{UINT32_MAX} / image.height, "image has 2^32 pixels or more");
  require_thresholds(thresholds);
  BrightnessLimits limits{{2126, 7152, 722}, {}, thresholds.count};
  if (colors_of(image.channels) == 1) {
    limits.weights[0] = 10000;
  }
  using Level = decltype(LevelSample<T>::of(T{}));
  const double most = 10000.0 * static_cast<double>(full_scale<Level>()) *
                      static_cast<double>(image.width * image.height);
  for (int i = 0; i < thresholds.count; ++i) {
    limits.of[i] = static_cast<std::uint64_t>(std::llround(thresholds.of[i] * most));
  }
  return limits;
}

}  // namespace gxr::kernels
