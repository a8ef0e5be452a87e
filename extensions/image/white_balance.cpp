#include "image/white_balance.hpp"

#include <bit>

#include "gxr/kernels/white_balance.hpp"

namespace gxr::image {

void WhiteBalance::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(method_, "method", "Where the gains come from")
      .description(
          "gains: the parameter 'gains'. grey_world: every picture's own, such that its mean is "
          "grey.")
      .default_value(BalanceMethod::Gains);
  interface.parameter(gains_, "gains", "Factors on red, green and blue, for method gains")
      .range(0.0, 64.0)
      .default_value({1.0, 1.0, 1.0})
      .dynamic();
}

void WhiteBalance::stop() {
  gains_on_device_.reset();
  CapturableOperator::stop();
}

std::array<float, 3> WhiteBalance::fixed_gains() const {
  std::array<float, 3> gains{};
  for (std::size_t c = 0; c < gains.size(); ++c) {
    gains[c] = static_cast<float>(gains_.get()[c]);
  }
  return gains;
}

ImageShape WhiteBalance::result_shape(const InputImage& input) const {
  if (input.shape.channels < 3) {
    throw_wrong_image(input, "an RGB or RGBA picture (3 or 4 channels)");
  }
  return input.shape;
}

void WhiteBalance::compute_on_host(const Work& work) {
  std::array<float, 3> gains = fixed_gains();
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    if (method_.get() == BalanceMethod::GreyWorld) {
      kernels::grey_world_gains(in, gains.data());
    }
    kernels::apply_gains(in, work.result_view<T>(), gains.data());
  });
}

std::size_t WhiteBalance::scratch_bytes(const InputImage& /*input*/) const {
  const bool measures = method_.get() == BalanceMethod::GreyWorld;
  return measures ? kernels::grey_world_workspace_bytes() + sizeof(std::array<float, 3>) : 0;
}

/// Afterwards device_gains_ are those of the parameter, and what is on the GPU is of them.
void WhiteBalance::drop_other_gains() {
  if (const std::array<float, 3> gains = fixed_gains(); gains != device_gains_) {
    device_gains_ = gains;
    gains_on_device_.reset();
  }
}

template <class T>
const float* WhiteBalance::device_gains(kernels::ImageView<const T> in, const KernelPlace& place) {
  if (method_.get() == BalanceMethod::Gains) {
    drop_other_gains();
    return static_cast<const float*>(
        place.get(gains_on_device_, device_gains_.data(), sizeof(device_gains_)));
  }
  auto* const gains = reinterpret_cast<float*>(static_cast<std::byte*>(place.scratch) +
                                               kernels::grey_world_workspace_bytes());
  place.kernels.of<T>().grey_world_gains(in, gains, place.scratch, place.stream);
  return gains;
}

void WhiteBalance::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().apply_gains(in, work.result_view<T>(), device_gains(in, place),
                                      place.stream);
  });
}

std::vector<std::byte> WhiteBalance::parameters(const InputImage& /*input*/) {
  if (method_.get() != BalanceMethod::Gains) {
    return {};
  }
  const auto gains = std::bit_cast<std::array<std::byte, sizeof(device_gains_)>>(fixed_gains());
  return {gains.begin(), gains.end()};
}

/// The GPU adds up the elements of float pictures in another order.
Tolerance WhiteBalance::tolerance(const InputImage& input) const {
  const bool sums_of_floats =
      method_.get() == BalanceMethod::GreyWorld && input.type() == ElementType::Float32;
  constexpr double kGain = 1e-6;
  constexpr double kRounding = 2.4e-7;  // of the gain and of the product, 2^-23 each
  return {.relative = sums_of_floats ? kGain + kRounding : 0.0};
}

}  // namespace gxr::image
