#include "image/black_level.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "gxr/plain_text.hpp"
#include "image/limits.hpp"

namespace gxr::image {
namespace {

constexpr std::size_t kLevelsBytes = sizeof(kernels::BlackLevels);

double full_scale_of(ElementType type) {
  return visit_type(type, [](auto sample) {
    return static_cast<double>(kernels::full_scale<decltype(sample)>());
  });
}

bool are_equal(const kernels::BlackLevels& a, const kernels::BlackLevels& b) {
  return std::ranges::equal(a.level, b.level) && std::ranges::equal(a.gain, b.gain);
}

}  // namespace

void BlackLevel::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(levels_, "levels", "What is taken off, for each place of the sensor's colours")
      .description(
          "Columns 0 and 1 of even rows, then of odd rows: red, green, green, blue of RGGB. In "
          "units of the picture's elements, 64 of a sensor with 10 bits, for instance.")
      .range(0.0, 65535.0)
      .default_value({0.0, 0.0, 0.0, 0.0})
      .dynamic();
  interface.parameter(masked_, "masked", "Pixels that get no light: left, top, width, height")
      .description(
          "The levels of each picture are the means of these pixels of it, for each place of the "
          "colours, instead of 'levels'. At least 2 x 2. The masked pixels stay in the picture.")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value({});
  interface.parameter(white_, "white", "What becomes full scale; 0: nothing is multiplied")
      .description(
          "The sensor's greatest number, 1023 of 10 bits, for instance. Values above black are "
          "multiplied by full scale / (white - level).")
      .range(0.0, 65535.0)
      .default_value(0.0);
}

void BlackLevel::initialize() {
  check_parameters();
  CapturableOperator::initialize();
}

void BlackLevel::stop() {
  levels_on_device_.reset();
  CapturableOperator::stop();
}

kernels::PixelArea BlackLevel::masked() const {
  const std::vector<std::int32_t>& area = masked_.get();
  return {area[0], area[1], area[2], area[3]};
}

void BlackLevel::check_parameters() const {
  const std::size_t count = masked_.get().size();
  if (count != 0 && count != 4) {
    throw Error(ErrorCode::InvalidParameter,
                "'masked' has " + std::to_string(count) +
                    " numbers; it needs four: left, top, width and height");
  }
  if (measures() && (masked().width < 2 || masked().height < 2)) {
    throw Error(ErrorCode::InvalidParameter,
                "'masked' is " + std::to_string(masked().width) + " x " +
                    std::to_string(masked().height) +
                    " pixels (width x height); each place of the colours needs one: 2 x 2 at "
                    "least");
  }
  const bool has_levels =
      std::ranges::any_of(levels_.get(), [](double level) { return level != 0.0; });
  if (measures() && has_levels) {
    throw Error(ErrorCode::InvalidParameter,
                "'levels' and 'masked' are both set, and 'masked' would measure other levels: "
                "leave one out");
  }
}

void BlackLevel::check_levels(const InputImage& raw) const {
  const double full = full_scale_of(raw.type());
  const bool has_white = white_.get() > 0.0;
  const double top = has_white ? white_.get() : full;
  if (top > full) {
    throw_wrong_image(raw, "elements that reach 'white', " + shortest_text(top));
  }
  for (const double level : levels_.get()) {
    if (!measures() && level >= top) {
      throw_wrong_image(raw, "levels below " +
                                 std::string(has_white ? "'white', " : "full scale, ") +
                                 shortest_text(top) + ", not " + shortest_text(level));
    }
  }
}

void BlackLevel::check_masked(const InputImage& raw) const {
  const kernels::PixelArea area = masked();
  if (area.left + area.width > raw.shape.width || area.top + area.height > raw.shape.height) {
    throw_wrong_image(raw, "a picture of at least " + std::to_string(area.left + area.width) +
                               " x " + std::to_string(area.top + area.height) +
                               " pixels (width x height), for 'masked'");
  }
}

ImageShape BlackLevel::result_shape(const InputImage& raw) const {
  if (raw.shape.channels != 1) {
    throw_wrong_image(raw, "a raw sensor picture (1 channel)");
  }
  check_levels(raw);
  if (measures()) {
    check_masked(raw);
  }
  return raw.shape;
}

template <class T>
kernels::BlackLevels BlackLevel::fixed_levels() const {
  kernels::BlackLevels levels;
  for (std::size_t place = 0; place < 4; ++place) {
    levels.level[place] = static_cast<float>(levels_.get()[place]);
    levels.gain[place] =
        white() == 0.0F ? 1.0F : kernels::black_level_gain<T>(levels.level[place], white());
  }
  return levels;
}

void BlackLevel::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::BlackLevels levels = fixed_levels<T>();
    if (measures()) {
      kernels::measure_black(in, masked(), white(), &levels);
    }
    kernels::subtract_black<T>(in, work.result_view<T>(), levels);
  });
}

std::size_t BlackLevel::scratch_bytes(const InputImage& /*raw*/) const {
  return measures() ? kernels::measure_black_workspace_bytes() + kLevelsBytes : 0;
}

template <class T>
const kernels::BlackLevels* BlackLevel::device_levels(kernels::ImageView<const T> in,
                                                      const KernelPlace& place) {
  if (measures()) {
    auto* const levels = reinterpret_cast<kernels::BlackLevels*>(
        static_cast<std::byte*>(place.scratch) + kernels::measure_black_workspace_bytes());
    place.kernels.of<T>().measure_black(in, masked(), white(), levels, place.scratch, place.stream);
    return levels;
  }
  if (const kernels::BlackLevels levels = fixed_levels<T>(); !are_equal(levels, device_levels_)) {
    device_levels_ = levels;
    levels_on_device_.reset();
  }
  return static_cast<const kernels::BlackLevels*>(
      place.get(levels_on_device_, &device_levels_, kLevelsBytes));
}

void BlackLevel::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().subtract_black(in, work.result_view<T>(), device_levels(in, place),
                                         place.stream);
  });
}

std::vector<std::byte> BlackLevel::parameters(const InputImage& raw) {
  if (measures()) {
    return {};
  }
  return visit_type(raw.type(), [&](auto sample) -> std::vector<std::byte> {
    const auto bytes =
        std::bit_cast<std::array<std::byte, kLevelsBytes>>(fixed_levels<decltype(sample)>());
    return {bytes.begin(), bytes.end()};
  });
}

}  // namespace gxr::image
