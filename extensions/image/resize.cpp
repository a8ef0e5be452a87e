#include "image/resize.hpp"

#include <algorithm>

#include "gxr/kernels/resize.hpp"
#include "image/limits.hpp"

namespace gxr::image {
namespace {

/// side * numerator / denominator, rounded, at least 1.
std::int64_t scaled(std::int64_t side, std::int64_t numerator, std::int64_t denominator) {
  return std::max<std::int64_t>(1, (side * numerator + denominator / 2) / denominator);
}

}  // namespace

template <class T>
void resize_picture(kernels::ImageView<const T> in, kernels::ImageView<T> out, ResizeMode mode) {
  switch (mode) {
    case ResizeMode::Bilinear:
      return kernels::resize_bilinear(in, out);
    case ResizeMode::Area:
      return kernels::resize_area(in, out);
    case ResizeMode::Nearest:
      return kernels::resize_nearest(in, out);
  }
}

template <class T>
void resize_picture(kernels::ImageView<const T> in, kernels::ImageView<T> out, ResizeMode mode,
                    const KernelPlace& place) {
  const TypedDeviceKernels<T>& table = place.kernels.of<T>();
  switch (mode) {
    case ResizeMode::Bilinear:
      return table.resize_bilinear(in, out, place.stream);
    case ResizeMode::Area:
      return table.resize_area(in, out, place.stream);
    case ResizeMode::Nearest:
      return table.resize_nearest(in, out, place.stream);
  }
}

template void resize_picture(kernels::ImageView<const std::uint8_t>,
                             kernels::ImageView<std::uint8_t>, ResizeMode);
template void resize_picture(kernels::ImageView<const std::uint16_t>,
                             kernels::ImageView<std::uint16_t>, ResizeMode);
template void resize_picture(kernels::ImageView<const float>, kernels::ImageView<float>,
                             ResizeMode);
template void resize_picture(kernels::ImageView<const std::uint8_t>,
                             kernels::ImageView<std::uint8_t>, ResizeMode, const KernelPlace&);
template void resize_picture(kernels::ImageView<const std::uint16_t>,
                             kernels::ImageView<std::uint16_t>, ResizeMode, const KernelPlace&);
template void resize_picture(kernels::ImageView<const float>, kernels::ImageView<float>, ResizeMode,
                             const KernelPlace&);

ImageShape scaled_shape(const ImageShape& shape, std::int64_t width, std::int64_t height) {
  if (width == 0 && height == 0) {
    return shape;
  }
  if (width == 0) {
    return {height, scaled(shape.width, height, shape.height), shape.channels};
  }
  if (height == 0) {
    return {scaled(shape.height, width, shape.width), width, shape.channels};
  }
  return {height, width, shape.channels};
}

void Resize::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(width_, "width", "Width of the result; 0: from height and aspect ratio")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(height_, "height", "Height of the result; 0: from width and aspect ratio")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(mode_, "mode", "How values between pixels are formed")
      .description(
          "area: mean of the covered pixels, for making smaller. bilinear: linear between pixel "
          "centres. "
          "nearest: copies.")
      .default_value(ResizeMode::Bilinear);
}

ImageShape Resize::result_shape(const InputImage& input) const {
  refuse_raw_picture(input, kScalingMixes);
  return scaled_shape(input.shape, width_.get(), height_.get());
}

void Resize::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    resize_picture(in, work.result_view<ElementOf<decltype(in)>>(), mode_.get());
  });
}

void Resize::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    resize_picture(in, work.result_view<ElementOf<decltype(in)>>(), mode_.get(), place);
  });
}

}  // namespace gxr::image
