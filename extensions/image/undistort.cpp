#include "image/undistort.hpp"

#include "gxr/kernels/remap.hpp"

namespace gxr::image {

void Undistort::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(calibration_file_, "calibration", "File of a calibration, as OpenCV or ROS write it")
      .description(
          "YAML or JSON with camera_matrix and distortion_coefficients. Empty: the parameters "
          "camera_matrix and distortion.")
      .default_value({});
  interface.parameter(camera_matrix_, "camera_matrix", "Camera matrix, row by row")
      .description(
          "[fx, 0, cx, 0, fy, cy, 0, 0, 1]: focal lengths and the middle of the picture, in "
          "pixels.")
      .default_value({});
  interface.parameter(distortion_, "distortion", "Coefficients k1, k2, p1, p2, k3, k4, k5, k6 of the lens")
      .description("4, 5 or 8 of them, in OpenCV's order.")
      .default_value({});
}

void Undistort::initialize() {
  ImageOperator::initialize();
  static_cast<void>(calibration());  // its mistakes are to be known before the first picture
}

void Undistort::stop() {
  on_device_.reset();
  CapturableOperator::stop();
}

const Calibration& Undistort::calibration() const {
  if (calibration_) {
    return *calibration_;
  }
  const bool has_numbers = !camera_matrix_.get().empty() || !distortion_.get().empty();
  const std::string& file = calibration_file_.get().path;
  if (file.empty() != has_numbers) {
    throw Error(ErrorCode::InvalidParameter,
                has_numbers
                    ? "'calibration' names a file, so 'camera_matrix' and 'distortion' must "
                      "be left out"
                    : "the camera is missing: set 'calibration', or 'camera_matrix' and "
                      "'distortion'");
  }
  calibration_ = file.empty()
                     ? Calibration{make_lens(camera_matrix_.get(), distortion_.get()), 0, 0}
                     : read_calibration(file);
  return *calibration_;
}

ImageShape Undistort::result_shape(const InputImage& input) const {
  refuse_raw_picture(input, "undistorting would mix its colours");
  const Calibration& camera = calibration();
  const bool fits = (camera.width == 0 || camera.width == input.shape.width) &&
                    (camera.height == 0 || camera.height == input.shape.height);
  if (!fits) {
    throw_wrong_image(input, "the size of the calibration, " + std::to_string(camera.width) +
                                 " x " + std::to_string(camera.height) +
                                 " pixels (width x height)");
  }
  return input.shape;
}

const std::vector<kernels::PicturePlace>& Undistort::places_for(const ImageShape& shape) {
  if (places_.empty() || placed_.width != shape.width || placed_.height != shape.height) {
    places_ = kernels::undistorted_places(calibration().lens, shape.width, shape.height);
    placed_ = shape;
    on_device_.reset();
  }
  return places_;
}

void Undistort::compute_on_host(const Work& work) {
  const std::vector<kernels::PicturePlace>& places = places_for(work.shape);
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::remap_bilinear<T>(in, work.result_view<T>(), places.data());
  });
}

void Undistort::launch(const Work& work, const KernelPlace& place) {
  const std::vector<kernels::PicturePlace>& places = places_for(work.shape);
  const void* const on_device =
      place.get(on_device_, places.data(), places.size() * sizeof(places.front()));
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().remap_bilinear(in, work.result_view<T>(),
                                         static_cast<const kernels::PicturePlace*>(on_device),
                                         place.stream);
  });
}

std::vector<std::byte> Undistort::parameters(const InputImage& input) {
  const std::vector<kernels::PicturePlace>& places = places_for(input.shape);
  const auto* const begin = reinterpret_cast<const std::byte*>(places.data());
  return {begin, begin + places.size() * sizeof(places.front())};
}

}  // namespace gxr::image
