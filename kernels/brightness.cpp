#include "gxr/kernels/brightness.hpp"

#include "brightness_limits.hpp"
#include "color_sums.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void classify(ImageView<const T> image, const BrightnessThresholds& thresholds,
              std::int32_t* number) {
  const BrightnessLimits limits = brightness_limits(image, thresholds);
  require(number != nullptr, "number must not be null");
  *number = limits.reached(color_totals<LevelSample<T>>(image).data());
}

}  // namespace

void brightness_class(ImageView<const std::uint8_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number) {
  classify(image, thresholds, number);
}

void brightness_class(ImageView<const std::uint16_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number) {
  classify(image, thresholds, number);
}

void brightness_class(ImageView<const float> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number) {
  classify(image, thresholds, number);
}

}  // namespace gxr::kernels
