#include "image/demosaic.hpp"

#include "gxr/kernels/demosaic.hpp"

namespace gxr::image {

void Demosaic::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(pattern_, "pattern", "Colours of the sensor's filter")
      .description("auto: what the message says (its part gxr::image::BayerPattern).")
      .default_value(PatternSource::Auto);
}

kernels::BayerPattern Demosaic::pattern_of(const Message& message) const {
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
  const auto* part = message.find<BayerPattern>();
  if (part == nullptr) {
    throw Error(ErrorCode::NotFound,
                "the message on 'in' does not say which Bayer pattern its picture has: "
                "set 'pattern' to RGGB, BGGR, GRBG or GBRG");
  }
  return part->layout;
}

void Demosaic::process(Task& task) {
  const InputImage& raw = task.input;
  if (raw.shape.channels != 1) {
    throw_wrong_image(raw, "a raw sensor picture (1 channel)");
  }
  const kernels::BayerPattern pattern = pattern_of(task.message);
  const ImageShape shape{raw.shape.height, raw.shape.width, 3};
  allocate(task, shape, raw.type());
  const bool bilinear = method_ == Method::Bilinear;
  visit_image(raw, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto rgb = view_as<T>(task.result, shape);
    if (const GpuTick* gpu = task.gpu; gpu != nullptr) {
      const TypedDeviceKernels<T>& table = gpu->kernels<T>();
      const auto demosaic = bilinear ? table.demosaic_bilinear : table.demosaic_malvar;
      demosaic(in, rgb, pattern, gpu->stream());
    } else if (bilinear) {
      kernels::demosaic_bilinear(in, rgb, pattern);
    } else {
      kernels::demosaic_malvar(in, rgb, pattern);
    }
  });
}

}  // namespace gxr::image
