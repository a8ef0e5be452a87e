#include "image/threshold.hpp"

namespace gxr::image {

void Threshold::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(level_, "level", "Elements above it become white, the others black")
      .description(
          "A part of full scale: 0.5 is 127.5 of 8 bits. Each channel is compared for itself.")
      .range(0.0, 1.0)
      .default_value(0.5);
  interface.parameter(invert_, "invert", "Black and white change places").default_value(false);
}

void Threshold::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::threshold<T>(in, work.result_view<T>(),
                          threshold_rule<T>(level_.get(), invert_.get()));
  });
}

void Threshold::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().threshold(in, work.result_view<T>(),
                                    threshold_rule<T>(level_.get(), invert_.get()), place.stream);
  });
}

}  // namespace gxr::image
