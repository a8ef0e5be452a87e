#include "brightness_limits.hpp"
#include "color_sums.cuh"
#include "gxr/kernels/brightness.hpp"

namespace gxr::kernels {
namespace {

constexpr const char* kFunction = "brightness_class";
using Sums = ColorSums<std::uint64_t>;

static_assert(brightness_workspace_bytes() == color_sums_workspace_bytes());

__global__ void __launch_bounds__(kReducingBlocks)
    class_kernel(const Sums* partial, BrightnessLimits limits, std::int32_t* number) {
  __shared__ Sums warp_sums[kReducingBlocks / kWarpSize];
  const Sums sums = sum_of_block(partial[threadIdx.x], warp_sums);
  if (threadIdx.x == 0) {
    *number = limits.reached(sums.of);
  }
}

template <class T>
void classify(ImageView<const T> image, const BrightnessThresholds& thresholds,
              std::int32_t* number, void* workspace, Stream stream) {
  const BrightnessLimits limits = brightness_limits(image, thresholds);
  require(number != nullptr, "number must not be null");
  require_workspace(workspace);
  require_stream(stream);
  using Sample = LevelSample<T>;
  constexpr void (*by_channels[])(const char*, ImageView<const T>, Sums*, Stream) = {
      sum_colors<Sample, 1, T>, sum_colors<Sample, 2, T>, sum_colors<Sample, 3, T>,
      sum_colors<Sample, 4, T>};
  auto* partial = static_cast<Sums*>(workspace);
  by_channels[image.channels - 1](kFunction, image, partial, stream);
  launch(kFunction, {dim3(1), dim3(kReducingBlocks)}, stream, class_kernel, partial, limits,
         number);
}

}  // namespace

void brightness_class(ImageView<const std::uint8_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number, void* workspace, Stream stream) {
  classify(image, thresholds, number, workspace, stream);
}

void brightness_class(ImageView<const std::uint16_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number, void* workspace, Stream stream) {
  classify(image, thresholds, number, workspace, stream);
}

void brightness_class(ImageView<const float> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number, void* workspace, Stream stream) {
  classify(image, thresholds, number, workspace, stream);
}

}  // namespace gxr::kernels
