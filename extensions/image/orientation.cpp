#include "image/orientation.hpp"

namespace gxr::image {

ImageShape OrientationOperator::result_shape(const InputImage& input) const {
  refuse_raw_picture(input, "its pattern would not fit any more");
  const ImageShape& shape = input.shape;
  return kernels::exchanges_sides(orientation())
             ? ImageShape{shape.width, shape.height, shape.channels}
             : shape;
}

void OrientationOperator::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::orient<T>(in, work.result_view<T>(), orientation());
  });
}

void OrientationOperator::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().orient(in, work.result_view<T>(), orientation(), place.stream);
  });
}

void Flip::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(axis_, "axis", "What changes places")
      .description("horizontal: left and right. vertical: top and bottom. both: a half turn.")
      .default_value(FlipAxis::Horizontal);
}

kernels::Orientation Flip::orientation() const {
  switch (axis_.get()) {
    case FlipAxis::Vertical:
      return kernels::Orientation::kFlipped;
    case FlipAxis::Both:
      return kernels::Orientation::kHalfTurn;
    case FlipAxis::Horizontal:
      break;
  }
  return kernels::Orientation::kMirrored;
}

void Rotate::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(angle_, "angle", "How far the picture is turned, clockwise")
      .unit("degrees")
      .choices({{"90", "a quarter turn clockwise"},
                {"180", "a half turn"},
                {"270", "a quarter turn counterclockwise"}})
      .default_value(90);
}

kernels::Orientation Rotate::orientation() const {
  switch (angle_.get()) {
    case 180:
      return kernels::Orientation::kHalfTurn;
    case 270:
      return kernels::Orientation::kTurnedLeft;
    default:
      return kernels::Orientation::kTurnedRight;
  }
}

}  // namespace gxr::image
