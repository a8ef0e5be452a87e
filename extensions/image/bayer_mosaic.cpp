#include "image/bayer_mosaic.hpp"

namespace gxr::image {

void BayerMosaic::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(pattern_, "pattern", "Colours of the filter, first and second row")
      .default_value(kernels::BayerPattern::kRggb);
  interface.parameter(noise_, "noise", "Standard deviation of the sensor's noise")
      .description(
          "Gaussian-like and additive; the same seed and message number give the same noise.")
      .unit("parts of full scale")
      .range(0.0, 1.0)
      .default_value(0.0);
  interface.parameter(seed_, "seed", "Start of the noise's random numbers").default_value(0);
}

void BayerMosaic::process(Task& task) {
  const InputImage& rgb = task.input;
  if (rgb.shape.channels != 3) {
    throw_wrong_image(rgb, "an RGB picture (3 channels)");
  }
  allocate(task, {rgb.shape.height, rgb.shape.width, 1}, rgb.type());
  const ImageShape shape{rgb.shape.height, rgb.shape.width, 1};
  const kernels::SensorNoise noise{static_cast<float>(noise_.get()), seed_.get(),
                                   task.message.sequence()};
  visit_image(rgb, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto bayer = view_as<T>(task.result, shape);
    if (const GpuTick* gpu = task.gpu; gpu != nullptr) {
      gpu->kernels<T>().mosaic_bayer(in, bayer, pattern_.get(), noise, gpu->stream());
    } else {
      kernels::mosaic_bayer(in, bayer, pattern_.get(), noise);
    }
  });
  task.output.add<BayerPattern>({}, BayerPattern{pattern_.get()});
}

}  // namespace gxr::image
