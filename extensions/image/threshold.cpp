#include "image/threshold.hpp"

#include <algorithm>
#include <cmath>

#include "gxr/kernels/threshold.hpp"

namespace gxr::image {
namespace {

/// Of integers the greatest one that is not above the level.
template <class T>
kernels::ThresholdRule<T> rule_for(double level, bool invert) {
  const double scaled = level * static_cast<double>(kernels::full_scale<T>());
  const T white = static_cast<T>(kernels::full_scale<T>());
  const T limit = kernels::full_scale<T>() == 1.0F ? static_cast<T>(level)
                                                   : static_cast<T>(std::floor(scaled + 1e-9));
  return {limit, invert ? T{0} : white, invert ? white : T{0}};
}

}  // namespace

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
    kernels::threshold<T>(in, work.result_view<T>(), rule_for<T>(level_.get(), invert_.get()));
  });
}

void Threshold::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().threshold(in, work.result_view<T>(),
                                    rule_for<T>(level_.get(), invert_.get()), place.stream);
  });
}

}  // namespace gxr::image
