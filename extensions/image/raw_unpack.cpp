#include "image/raw_unpack.hpp"

#include <string>

#include "image/limits.hpp"

namespace gxr::image {
namespace {

/// "RAW10 has 4 pixels in 5 bytes"
std::string packing_of(kernels::RawFormat format) {
  return "RAW" + std::to_string(kernels::raw_bits(format)) + " has " +
         std::to_string(kernels::raw_group_pixels(format)) + " pixels in " +
         std::to_string(kernels::raw_group_bytes(format)) + " bytes";
}

}  // namespace

void RawUnpack::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(format_, "format", "How the sensor's numbers are packed")
      .description(
          "As in MIPI CSI-2: RAW10 has 4 pixels in 5 bytes, RAW12 2 in 3, RAW14 4 in 7. Of each "
          "pixel the high eight bits come first, and then the low bits of the group, those of the "
          "first pixel lowest.");
  interface.parameter(width_, "width", "Width of the picture; 0: as many pixels as a row has")
      .description(
          "Set it where rows end in bytes that are no pixels. It is a multiple of the pixels of a "
          "group.")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(scale_, "scale", "Range of the resulting numbers")
      .description(
          "sensor: as the sensor gave them, 0 to 1023 of RAW10, 4095 of RAW12, 16383 of RAW14. "
          "full: 0 to 65535, which other operators take for black and white.")
      .default_value(kernels::RawScale::kSensor);
}

void RawUnpack::initialize() {
  check_width();
  CapturableOperator::initialize();
}

void RawUnpack::check_width() const {
  const std::int64_t pixels = kernels::raw_group_pixels(format_.get());
  if (width_.get() % pixels != 0) {
    throw Error(ErrorCode::InvalidParameter, "'width' is " + std::to_string(width_.get()) +
                                                 ", not a multiple of " + std::to_string(pixels) +
                                                 ": " + packing_of(format_.get()));
  }
}

std::int64_t RawUnpack::width_of(const InputImage& packed) const {
  const kernels::RawFormat format = format_.get();
  const std::int64_t pixels = kernels::raw_group_pixels(format);
  const std::int64_t bytes = kernels::raw_group_bytes(format);
  const std::int64_t row = packed.shape.width;
  if (width_.get() == 0) {
    if (row % bytes != 0) {
      throw_wrong_image(packed, "rows of a multiple of " + std::to_string(bytes) + " bytes (" +
                                    packing_of(format) +
                                    "; set 'width' where rows end in other bytes)");
    }
    return row / bytes * pixels;
  }
  const std::int64_t width = width_.get();
  if (const std::int64_t needed = width / pixels * bytes; row < needed) {
    throw_wrong_image(packed, "rows of at least " + std::to_string(needed) + " bytes for 'width' " +
                                  std::to_string(width) + " (" + packing_of(format) + ")");
  }
  return width;
}

ImageShape RawUnpack::result_shape(const InputImage& packed) const {
  if (packed.type() != ElementType::UInt8 || packed.shape.channels != 1) {
    throw_wrong_image(packed, "packed rows of a sensor (height x bytes of uint8)");
  }
  return {packed.shape.height, width_of(packed), 1};
}

void RawUnpack::compute_on_host(const Work& work) {
  kernels::unpack_raw(view_as<const std::uint8_t>(*work.input.tensor, work.input.shape),
                      work.result_view<std::uint16_t>(), format_.get(), scale_.get());
}

void RawUnpack::launch(const Work& work, const KernelPlace& place) {
  place.kernels.unpack_raw(view_as<const std::uint8_t>(*work.input.tensor, work.input.shape),
                           work.result_view<std::uint16_t>(), format_.get(), scale_.get(),
                           place.stream);
}

}  // namespace gxr::image
