#include "image/grey.hpp"

namespace gxr::image {

void Grey::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(standard_, "standard", "Whose weights red, green and blue have")
      .description(
          "bt601: 0.299, 0.587, 0.114. bt709: 0.2126, 0.7152, 0.0722. bt2020: 0.2627, 0.6780, "
          "0.0593. A fourth channel does not count.")
      .default_value(kernels::LumaStandard::kBt709);
}

ImageShape Grey::result_shape(const InputImage& input) const {
  if (input.shape.channels < 3) {
    throw_wrong_image(input, "an RGB or RGBA picture (3 or 4 channels)");
  }
  return {input.shape.height, input.shape.width, 1};
}

void Grey::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::luma<T>(in, work.result_view<T>(), standard_.get());
  });
}

void Grey::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().luma(in, work.result_view<T>(), standard_.get(), place.stream);
  });
}

}  // namespace gxr::image
