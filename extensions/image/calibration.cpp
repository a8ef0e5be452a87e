#include "image/calibration.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

#include <yaml-cpp/yaml.h>

#include "image/input_file.hpp"
#include "image/limits.hpp"

namespace gxr::image {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string read_text(const InputFile& file) {
  std::string text(kMostBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.stream.get()));
  if (std::ferror(file.stream.get()) != 0) {
    file.fail("cannot be read");
  }
  if (text.size() > kMostBytes) {
    file.fail("is larger than 1 MiB, which no calibration is");
  }
  return text;
}

/// OpenCV begins its YAML files with "%YAML:1.0", which YAML does not know.
void drop_directive(std::string& text) {
  constexpr std::string_view kDirective = "%YAML:1.0";
  if (std::string_view(text).starts_with(kDirective)) {
    text.erase(0, kDirective.size());
  }
}

YAML::Node read_map(const InputFile& file) {
  std::string text = read_text(file);
  if (text.find("<opencv_storage>") != std::string::npos) {
    file.fail("is XML: write the calibration to a file whose name ends with .yml or .json");
  }
  drop_directive(text);
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    file.fail("line " + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
  if (!root.IsMap()) {
    file.fail("is no map with 'camera_matrix' and 'distortion_coefficients'");
  }
  return root;
}

/// The whole text as a number, whatever the locale, which yaml-cpp would follow.
std::optional<double> number_of(const YAML::Node& node) {
  if (!node.IsScalar()) {
    return std::nullopt;
  }
  std::string_view text = node.Scalar();
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::vector<double> read_matrix(const InputFile& file, const YAML::Node& root, const char* key) {
  const YAML::Node matrix = root[key];
  const YAML::Node data = matrix && matrix.IsMap() ? matrix["data"] : matrix;
  if (!data || !data.IsSequence()) {
    file.fail("has no matrix '" + std::string(key) + "' with 'data: [...]'");
  }
  std::vector<double> numbers;
  for (const YAML::Node& each : data) {
    const std::optional<double> number = number_of(each);
    if (!number) {
      file.fail("line " + std::to_string(each.Mark().line + 1) + ": '" + key +
                "' has an element that is no number");
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::int64_t read_side(const InputFile& file, const YAML::Node& root, const char* key) {
  const YAML::Node node = root[key];
  if (!node) {
    return 0;
  }
  const std::optional<double> number = number_of(node);
  if (!number || *number < 1 || *number > static_cast<double>(kMaxSide) ||
      *number != std::floor(*number)) {
    file.fail("line " + std::to_string(node.Mark().line + 1) + ": '" + key +
              "' is no number of pixels from 1 to " + std::to_string(kMaxSide));
  }
  return static_cast<std::int64_t>(*number);
}

}  // namespace

kernels::LensModel make_lens(const std::vector<double>& matrix,
                             const std::vector<double>& distortion) {
  if (matrix.size() != 9) {
    throw Error(ErrorCode::InvalidParameter,
                "a camera matrix has 9 numbers, not " + std::to_string(matrix.size()));
  }
  kernels::LensModel lens{
      .focal_x = matrix[0], .focal_y = matrix[4], .center_x = matrix[2], .center_y = matrix[5]};
  if (!(lens.focal_x > 0) || !(lens.focal_y > 0) || matrix[1] != 0 || matrix[3] != 0 ||
      matrix[6] != 0 || matrix[7] != 0 || matrix[8] != 1) {
    throw Error(ErrorCode::InvalidParameter,
                "a camera matrix is [fx, 0, cx, 0, fy, cy, 0, 0, 1] with fx and fy above 0");
  }
  const std::size_t count = distortion.size();
  if (count != 0 && count != 4 && count != 5 && count != 8) {
    throw Error(
        ErrorCode::InvalidParameter,
        "there are 4, 5 or 8 distortion coefficients (k1, k2, p1, p2, k3, k4, k5, k6), not " +
            std::to_string(count));
  }
  double* const coefficients[] = {&lens.k1, &lens.k2, &lens.p1, &lens.p2,
                                  &lens.k3, &lens.k4, &lens.k5, &lens.k6};
  for (std::size_t i = 0; i < count; ++i) {
    *coefficients[i] = distortion[i];
  }
  return lens;
}

Calibration read_calibration(const std::string& path) {
  const InputFile file = open_file(path);
  const YAML::Node root = read_map(file);
  const std::vector<double> matrix = read_matrix(file, root, "camera_matrix");
  const std::vector<double> distortion = read_matrix(file, root, "distortion_coefficients");
  Calibration calibration;
  try {
    calibration.lens = make_lens(matrix, distortion);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::InvalidParameter) {
      throw;
    }
    file.fail(error.message());
  }
  calibration.width = read_side(file, root, "image_width");
  calibration.height = read_side(file, root, "image_height");
  return calibration;
}

}  // namespace gxr::image
