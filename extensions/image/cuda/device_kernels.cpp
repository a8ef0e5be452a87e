// image_cuda.so: the kernels of gxr_kernels_cuda, for image.so.

#include "image/device_kernels.hpp"

#include "gxr/kernels/demosaic.hpp"
#include "gxr/kernels/histogram.hpp"
#include "gxr/kernels/patterns.hpp"
#include "gxr/kernels/resize.hpp"
#include "gxr/kernels/subtract.hpp"
#include "gxr/kernels/white_balance.hpp"

namespace gxr::image {
namespace {

template <class T>
TypedDeviceKernels<T> make_typed_kernels() {
  TypedDeviceKernels<T> table{};
  table.mosaic_bayer = kernels::mosaic_bayer<T>;
  table.demosaic_bilinear = kernels::demosaic_bilinear<T>;
  table.demosaic_malvar = kernels::demosaic_malvar<T>;
  table.subtract_black = kernels::subtract_black<T>;
  table.measure_black = kernels::measure_black<T>;
  table.convert_to_uint8 = kernels::convert_elements<std::uint8_t>;
  table.convert_to_uint16 = kernels::convert_elements<std::uint16_t>;
  table.convert_to_float = kernels::convert_elements<float>;
  table.permute_channels = kernels::permute_channels<T>;
  table.add_alpha = kernels::add_alpha<T>;
  table.drop_alpha = kernels::drop_alpha<T>;
  table.scale_channels = kernels::scale_channels<T>;
  table.fill_channels = kernels::fill_channels<T>;
  table.resize_nearest = kernels::resize_nearest<T>;
  table.resize_bilinear = kernels::resize_bilinear<T>;
  table.resize_area = kernels::resize_area<T>;
  table.orient = kernels::orient<T>;
  table.remap_bilinear = kernels::remap_bilinear<T>;
  table.luma = kernels::luma<T>;
  table.subtract_absolute = kernels::subtract_absolute<T>;
  table.threshold = kernels::threshold<T>;
  if constexpr (std::is_same_v<T, float>) {
    table.apply_tone_curve = kernels::apply_tone_curve;
  } else {
    table.apply_tone_table = kernels::apply_tone_table<T>;
  }
  table.grey_world_gains = kernels::grey_world_gains;
  table.apply_gains = kernels::apply_gains<T>;
  table.compute_histogram = kernels::compute_histogram;
  table.brightness_class = kernels::brightness_class;
  table.draw_color_bars = kernels::draw_color_bars<T>;
  table.draw_zone_plate = kernels::draw_zone_plate<T>;
  table.draw_noise = kernels::draw_noise<T>;
  return table;
}

DeviceKernels make_kernels() {
  DeviceKernels table{};
  table.for_uint8 = make_typed_kernels<std::uint8_t>();
  table.for_uint16 = make_typed_kernels<std::uint16_t>();
  table.for_float = make_typed_kernels<float>();
  table.unpack_raw = kernels::unpack_raw;
  table.draw_histogram = kernels::draw_histogram<std::uint8_t>;
  table.zone_plate_workspace_bytes = kernels::zone_plate_workspace_bytes;
  return table;
}

}  // namespace
}  // namespace gxr::image

extern "C" __attribute__((visibility("default"))) const gxr::image::DeviceKernels*
gxr_image_device_kernels() {
  static const gxr::image::DeviceKernels once = gxr::image::make_kernels();
  return &once;
}
