#include "image/brightness_class.hpp"

#include <string>

namespace gxr::image {

void BrightnessClass::declare(Interface& interface) {
  CapturableOperator::declare(interface);
  interface.parameter(thresholds_, "thresholds", "Limits of mean luminance, ascending")
      .description(
          "The result is how many of them the picture reaches: 0 below the first. Luminance is "
          "0.2126 red + 0.7152 green + 0.0722 blue (ITU-R BT.709, of linear light), or the first "
          "of one or two channels. At most 16.")
      .unit("parts of full scale")
      .range(0.0, 1.0);
}

void BrightnessClass::initialize() {
  static_cast<void>(thresholds());
  CapturableOperator::initialize();
}

std::string_view BrightnessClass::result_name(const InputImage&) const {
  return out_tensor_name().empty() ? "brightness_class" : out_tensor_name();
}

kernels::BrightnessThresholds BrightnessClass::thresholds() const {
  kernels::BrightnessThresholds thresholds;
  for (const double threshold : thresholds_.get()) {
    const int count = thresholds.count;
    if (count == kernels::BrightnessThresholds::kMost) {
      throw Error(ErrorCode::InvalidParameter, "'thresholds' are more than 16");
    }
    if (count > 0 && !(threshold > thresholds.of[count - 1])) {
      throw Error(ErrorCode::InvalidParameter, "'thresholds' do not ascend: number " +
                                                   std::to_string(count + 1) +
                                                   " is not above the one before");
    }
    thresholds.of[count] = threshold;
    thresholds.count = count + 1;
  }
  return thresholds;
}

void BrightnessClass::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    kernels::brightness_class(in, thresholds(), work.result.data<std::int32_t>());
  });
}

void BrightnessClass::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().brightness_class(in, thresholds(), work.result.data<std::int32_t>(),
                                           place.scratch, place.stream);
  });
}

}  // namespace gxr::image
