// Operators that move pixels: crop, flip, rotate, undistort; and those that make grey and black.

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "image/bayer_pattern.hpp"
#include "image/calibration.hpp"
#include "image/crop.hpp"
#include "image/grey.hpp"
#include "image/orientation.hpp"
#include "image/threshold.hpp"
#include "image/undistort.hpp"
#include "tests/unit/image/rig.hpp"
#include "tests/unit/image/scratch_folder.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Parameters = Rig::Parameters;

/// 2 rows of 3 grey pixels.
const Bytes kSix{1, 2, 3, 4, 5, 6};

Parameters with(const Parameters& own) {
  Parameters all{{"in", "in"}, {"out", "out"}, {"pool", "pool"}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// The result of an operator for `values`, and its shape.
template <class Operator>
std::pair<Shape, Bytes> made(const Parameters& parameters, const Shape& shape,
                             const Bytes& values) {
  Rig rig;
  auto& op = rig.add<Operator>(with(parameters));
  const Message out = rig.run(op, rig.picture<std::uint8_t>(shape, values));
  REQUIRE(out);
  const Tensor& tensor = out.get<Tensor>("image");
  return {tensor.shape(), gxr::image::values<std::uint8_t>(tensor)};
}

template <class Operator>
std::string failure(const Parameters& parameters, const Shape& shape, const Bytes& values) {
  try {
    made<Operator>(parameters, shape, values);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

constexpr const char* kMatrix = "[100, 0, 2, 0, 100, 1, 0, 0, 1]";

std::string written(const ScratchFolder& folder, const std::string& text) {
  const std::string path = folder.path() + "/camera.yml";
  std::ofstream(path) << text;
  return path;
}

std::string reading_failure(const ScratchFolder& folder, const std::string& text) {
  try {
    static_cast<void>(read_calibration(written(folder, text)));
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("Crop takes a part of a picture", "[image]") {
  CHECK(made<Crop>({{"left", "1"}, {"width", "1"}}, {2, 3, 1}, kSix) ==
        std::pair{Shape{2, 1, 1}, Bytes{2, 5}});
  CHECK(made<Crop>({{"top", "1"}}, {2, 3, 1}, kSix) == std::pair{Shape{1, 3, 1}, Bytes{4, 5, 6}});
  CHECK(made<Crop>({}, {1, 2, 3}, kSix) == std::pair{Shape{1, 2, 3}, kSix});
  CHECK_THAT(
      failure<Crop>({{"left", "3"}}, {2, 3, 1}, kSix),
      ContainsSubstring("tensor 'image' on 'in': wanted a picture of at least 4 x 2 pixels"));
  CHECK_THAT(failure<Crop>({{"height", "9"}, {"top", "1"}}, {2, 3, 1}, kSix),
             ContainsSubstring("at least 3 x 10 pixels"));
}

TEST_CASE("Flip mirrors a picture", "[image]") {
  CHECK(made<Flip>({}, {2, 3, 1}, kSix) == std::pair{Shape{2, 3, 1}, Bytes{3, 2, 1, 6, 5, 4}});
  CHECK(made<Flip>({{"axis", "vertical"}}, {2, 3, 1}, kSix).second == Bytes{4, 5, 6, 1, 2, 3});
  CHECK(made<Flip>({{"axis", "both"}}, {2, 3, 1}, kSix).second == Bytes{6, 5, 4, 3, 2, 1});
}

TEST_CASE("Rotate turns a picture", "[image]") {
  CHECK(made<Rotate>({}, {2, 3, 1}, kSix) == std::pair{Shape{3, 2, 1}, Bytes{4, 1, 5, 2, 6, 3}});
  CHECK(made<Rotate>({{"angle", "180"}}, {2, 3, 1}, kSix).second == Bytes{6, 5, 4, 3, 2, 1});
  CHECK(made<Rotate>({{"angle", "270"}}, {2, 3, 1}, kSix) ==
        std::pair{Shape{3, 2, 1}, Bytes{3, 6, 2, 5, 1, 4}});
}

TEST_CASE("raw sensor pictures are not moved", "[image]") {
  Rig rig;
  auto& flip = rig.add<Flip>(with({}));
  Message raw = rig.picture<std::uint8_t>({2, 2, 1}, {1, 2, 3, 4});
  raw.add<BayerPattern>({}, BayerPattern{});
  CHECK_THROWS_WITH(rig.run(flip, raw), ContainsSubstring("raw sensor picture; its pattern would "
                                                          "not fit any more: demosaic it first"));
}

TEST_CASE("Threshold compares every element", "[image]") {
  const Bytes in{0, 127, 128, 255};
  CHECK(made<Threshold>({}, {1, 4, 1}, in).second == Bytes{0, 0, 255, 255});
  CHECK(made<Threshold>({{"invert", "true"}}, {1, 4, 1}, in).second == Bytes{255, 255, 0, 0});
  CHECK(made<Threshold>({{"level", "0"}}, {1, 4, 1}, in).second == Bytes{0, 255, 255, 255});
  CHECK(made<Threshold>({{"level", "1"}}, {1, 4, 1}, in).second == Bytes{0, 0, 0, 0});
  Rig rig;
  auto& op = rig.add<Threshold>(with({{"level", "0.25"}}));
  const Message out = rig.run(op, rig.picture<float>({1, 3, 1}, {0.25F, 0.2500001F, -1.0F}));
  CHECK(values<float>(out.get<Tensor>()) == std::vector<float>{0.0F, 1.0F, 0.0F});
}

TEST_CASE("Grey weighs the colours", "[image]") {
  const Bytes in{255, 0, 0, 0, 255, 0, 0, 0, 255};
  CHECK(made<Grey>({}, {1, 3, 3}, in) == std::pair{Shape{1, 3, 1}, Bytes{54, 182, 18}});
  CHECK(made<Grey>({{"standard", "bt601"}}, {1, 3, 3}, in).second == Bytes{76, 150, 29});
  CHECK_THAT(failure<Grey>({}, {2, 3, 1}, kSix),
             ContainsSubstring("wanted an RGB or RGBA picture (3 or 4 channels)"));
}

TEST_CASE("Undistort without distortion changes nothing", "[image]") {
  Rig rig;
  auto& op = rig.add<Undistort>(with({{"camera_matrix", kMatrix}}));
  for (const Shape& shape : {Shape{2, 3, 1}, Shape{3, 2, 1}}) {  // its table follows the size
    const Message out = rig.run(op, rig.picture<std::uint8_t>(shape, kSix));
    CHECK(values<std::uint8_t>(out.get<Tensor>()) == kSix);
  }
}

TEST_CASE("Undistort says what it lacks", "[image]") {
  CHECK_THAT(failure<Undistort>({}, {2, 3, 1}, kSix),
             ContainsSubstring("the camera is missing: set 'calibration', or 'camera_matrix'"));
  CHECK_THAT(
      failure<Undistort>({{"camera_matrix", kMatrix}, {"calibration", "x.yml"}}, {2, 3, 1}, kSix),
      ContainsSubstring("'calibration' names a file, so 'camera_matrix'"));
  CHECK_THAT(failure<Undistort>({{"camera_matrix", "[1, 2]"}}, {2, 3, 1}, kSix),
             ContainsSubstring("a camera matrix has 9 numbers, not 2"));
  CHECK_THAT(
      failure<Undistort>({{"camera_matrix", kMatrix}, {"distortion", "[1]"}}, {2, 3, 1}, kSix),
      ContainsSubstring("there are 4, 5 or 8 distortion coefficients"));
  CHECK_THAT(
      failure<Undistort>({{"camera_matrix", "[1, 2, 2, 0, 1, 1, 0, 0, 1]"}}, {2, 3, 1}, kSix),
      ContainsSubstring("a camera matrix is [fx, 0, cx, 0, fy, cy, 0, 0, 1]"));
}

TEST_CASE("calibrations of OpenCV and ROS are read", "[image]") {
  const ScratchFolder folder;
  const Calibration opencv = read_calibration(written(folder, R"(%YAML:1.0
---
image_width: 640
image_height: 480
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 5.0e+02, 0., 3.195e+02, 0., 510., 2.395e+02, 0., 0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: 5
   cols: 1
   dt: d
   data: [ -0.25, 0.125, 1e-3, -2.e-3, 0. ]
)"));
  CHECK(opencv.width == 640);
  CHECK(opencv.height == 480);
  CHECK(opencv.lens.focal_x == 500);
  CHECK(opencv.lens.focal_y == 510);
  CHECK(opencv.lens.center_x == 319.5);
  CHECK(opencv.lens.k1 == -0.25);
  CHECK(opencv.lens.k2 == 0.125);
  CHECK(opencv.lens.p1 == 0.001);
  CHECK(opencv.lens.p2 == -0.002);
  const Calibration json = read_calibration(written(folder, R"({
    "camera_matrix": {"type_id": "opencv-matrix", "rows": 3, "cols": 3, "dt": "d",
                      "data": [1.5, 0.0, 2.0, 0.0, 1.5, 1.0, 0.0, 0.0, 1.0]},
    "distortion_coefficients": {"data": [0.5, 0.0, 0.0, 0.0]}
})"));
  CHECK(json.width == 0);
  CHECK(json.lens.focal_x == 1.5);
  CHECK(json.lens.k1 == 0.5);
}

TEST_CASE("what is no calibration says why", "[image]") {
  const ScratchFolder folder;
  CHECK_THAT(reading_failure(folder, "a: [1\n"), ContainsSubstring("camera.yml: line "));
  CHECK_THAT(reading_failure(folder, "- 1\n"), ContainsSubstring("is no map with 'camera_matrix'"));
  CHECK_THAT(reading_failure(folder, "camera_matrix: 3\n"),
             ContainsSubstring("has no matrix 'camera_matrix'"));
  CHECK_THAT(reading_failure(folder, "camera_matrix: {data: [1, x]}\n"),
             ContainsSubstring("line 1: 'camera_matrix' has an element that is no number"));
  CHECK_THAT(
      reading_failure(folder, "<?xml version=\"1.0\"?>\n<opencv_storage>\n"),
      ContainsSubstring("is XML: write the calibration to a file whose name ends with .yml"));
  const std::string matrix = "camera_matrix: {data: [1, 0, 2, 0, 1, 1, 0, 0, 1]}\n";
  CHECK_THAT(reading_failure(folder, matrix + "distortion_coefficients: {data: [1, 2]}\n"),
             ContainsSubstring("camera.yml: there are 4, 5 or 8 distortion coefficients"));
  CHECK_THAT(reading_failure(folder, matrix + "distortion_coefficients: {data: []}\n"
                                              "image_width: 1.5\n"),
             ContainsSubstring("line 3: 'image_width' is no number of pixels"));
  CHECK_THAT(reading_failure(folder, std::string(2'000'000, '#')),
             ContainsSubstring("is larger than 1 MiB"));
  CHECK_THROWS_AS(read_calibration(folder.path() + "/none.yml"), Error);
}

TEST_CASE("a calibration is for pictures of its size", "[image]") {
  const ScratchFolder folder;
  const std::string path = written(folder,
                                   "camera_matrix: {data: [1, 0, 2, 0, 1, 1, 0, 0, 1]}\n"
                                   "distortion_coefficients: {data: [0, 0, 0, 0]}\n"
                                   "image_width: 4\nimage_height: 2\n");
  CHECK_THAT(failure<Undistort>({{"calibration", path.c_str()}}, {2, 3, 1}, kSix),
             ContainsSubstring("wanted the size of the calibration, 4 x 2 pixels"));
}
