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

void BayerMosaic::require_capturable() const {
  if (noise_.get() > 0.0) {
    throw Error(ErrorCode::InvalidArgument,
                "'noise' is not 0, and every message has noise of its own, while a CUDA graph does "
                "the same for each: set 'noise' to 0, or leave the operator out of the graph");
  }
}

ImageShape BayerMosaic::result_shape(const InputImage& rgb) const {
  if (rgb.shape.channels != 3) {
    throw_wrong_image(rgb, "an RGB picture (3 channels)");
  }
  return {rgb.shape.height, rgb.shape.width, 1};
}

kernels::SensorNoise BayerMosaic::noise_of(const Work& work) const {
  return {static_cast<float>(noise_.get()), seed_.get(),
          work.message == nullptr ? 0 : work.message->sequence()};
}

void BayerMosaic::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::mosaic_bayer(in, work.result_view<T>(), pattern_.get(), noise_of(work));
  });
}

void BayerMosaic::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().mosaic_bayer(in, work.result_view<T>(), pattern_.get(), noise_of(work),
                                       place.stream);
  });
}

}  // namespace gxr::image
