#include "image/demosaic.hpp"

#include "gxr/kernels/demosaic.hpp"

namespace gxr::image {

void Demosaic::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(pattern_, "pattern", "Colours of the sensor's filter")
      .description("auto: what the message says (its part gxr::image::BayerPattern).")
      .default_value(PatternSource::Auto);
}

kernels::BayerPattern Demosaic::pattern_of(const InputImage& raw) const {
  switch (pattern_.get()) {
    case PatternSource::Rggb:
      return kernels::BayerPattern::kRggb;
    case PatternSource::Bggr:
      return kernels::BayerPattern::kBggr;
    case PatternSource::Grbg:
      return kernels::BayerPattern::kGrbg;
    case PatternSource::Gbrg:
      return kernels::BayerPattern::kGbrg;
    case PatternSource::Auto:
      break;
  }
  if (!raw.bayer) {
    throw Error(ErrorCode::NotFound,
                "nothing says which Bayer pattern the picture on 'in' has: set 'pattern' to RGGB, "
                "BGGR, GRBG or GBRG");
  }
  return *raw.bayer;
}

ImageShape Demosaic::result_shape(const InputImage& raw) const {
  if (raw.shape.channels != 1) {
    throw_wrong_image(raw, "a raw sensor picture (1 channel)");
  }
  static_cast<void>(pattern_of(raw));
  return {raw.shape.height, raw.shape.width, 3};
}

void Demosaic::compute_on_host(const Work& work) {
  const kernels::BayerPattern pattern = pattern_of(work.input);
  visit_image(work.input, [&](auto in) {
    const auto rgb = work.result_view<ElementOf<decltype(in)>>();
    if (method_ == Method::Bilinear) {
      kernels::demosaic_bilinear(in, rgb, pattern);
    } else {
      kernels::demosaic_malvar(in, rgb, pattern);
    }
  });
}

void Demosaic::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const TypedDeviceKernels<T>& kernels = place.kernels.of<T>();
    const auto demosaic =
        method_ == Method::Bilinear ? kernels.demosaic_bilinear : kernels.demosaic_malvar;
    demosaic(in, work.result_view<T>(), pattern_of(work.input), place.stream);
  });
}

}  // namespace gxr::image
