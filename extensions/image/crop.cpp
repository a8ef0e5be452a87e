#include "image/crop.hpp"

#include <algorithm>
#include <string>

#include "gxr/kernels/orient.hpp"
#include "image/limits.hpp"

namespace gxr::image {

void Crop::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(left_, "left", "Columns that are left out on the left")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(top_, "top", "Rows that are left out above")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(width_, "width", "Width of the result; 0: all columns that are left")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(height_, "height", "Height of the result; 0: all rows that are left")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
}

ImageShape Crop::result_shape(const InputImage& input) const {
  refuse_raw_picture(input, "cropping would move its pattern");
  const std::int64_t columns = input.shape.width - left_.get();
  const std::int64_t rows = input.shape.height - top_.get();
  const std::int64_t width = width_.get() != 0 ? width_.get() : columns;
  const std::int64_t height = height_.get() != 0 ? height_.get() : rows;
  if (width < 1 || height < 1 || width > columns || height > rows) {
    throw_wrong_image(input, "a picture of at least " +
                                 std::to_string(left_.get() + std::max<std::int64_t>(width, 1)) +
                                 " x " +
                                 std::to_string(top_.get() + std::max<std::int64_t>(height, 1)) +
                                 " pixels (width x height), for left, top, width and height");
  }
  return {height, width, input.shape.channels};
}

template <class T>
kernels::ImageView<const T> Crop::part_of(kernels::ImageView<const T> in,
                                          const ImageShape& shape) const {
  in.data = in.row(top_.get()) + left_.get() * in.channels;
  in.width = shape.width;
  in.height = shape.height;
  return in;
}

void Crop::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::orient<T>(part_of<T>(in, work.shape), work.result_view<T>(),
                       kernels::Orientation::kUpright);
  });
}

void Crop::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().orient(part_of<T>(in, work.shape), work.result_view<T>(),
                                 kernels::Orientation::kUpright, place.stream);
  });
}

}  // namespace gxr::image
