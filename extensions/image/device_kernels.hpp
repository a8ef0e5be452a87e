#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gxr/kernels/bayer.hpp"
#include "gxr/kernels/black_level.hpp"
#include "gxr/kernels/brightness.hpp"
#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/luma.hpp"
#include "gxr/kernels/orient.hpp"
#include "gxr/kernels/raw.hpp"
#include "gxr/kernels/remap.hpp"
#include "gxr/kernels/scale.hpp"
#include "gxr/kernels/stream.hpp"
#include "gxr/kernels/threshold.hpp"
#include "gxr/kernels/tone_curve.hpp"

/// The stream versions of the kernels, which are in image_cuda.so: image.so links no CUDA.

namespace gxr::image {

/// Kernels for pictures of T; what they do stands where the functions of their names are declared.
template <class T>
struct TypedDeviceKernels {
  using In = kernels::ImageView<const T>;
  using Out = kernels::ImageView<T>;
  using Stream = kernels::Stream;
  template <class To>
  using Convert = void (*)(In, kernels::ImageView<To>, kernels::ScaleRange, Stream);
  using Resize = void (*)(In, Out, Stream);
  using Demosaic = void (*)(In, Out, kernels::BayerPattern, Stream);

  void (*mosaic_bayer)(In, Out, kernels::BayerPattern, kernels::SensorNoise, Stream);
  Demosaic demosaic_bilinear;
  Demosaic demosaic_malvar;
  void (*subtract_black)(In, Out, const kernels::BlackLevels* levels, Stream);
  void (*measure_black)(In, kernels::PixelArea masked, float white, kernels::BlackLevels* levels,
                        void* workspace, Stream);

  Convert<std::uint8_t> convert_to_uint8;
  Convert<std::uint16_t> convert_to_uint16;
  Convert<float> convert_to_float;
  void (*permute_channels)(In, Out, const int* order, Stream);
  void (*add_alpha)(In, Out, T alpha, Stream);
  void (*drop_alpha)(In, Out, Stream);

  void (*scale_channels)(In, Out, const float* factors, Stream);
  void (*fill_channels)(Out, const float* color, Stream);

  Resize resize_nearest;
  Resize resize_bilinear;
  Resize resize_area;

  void (*orient)(In, Out, kernels::Orientation, Stream);
  void (*remap_bilinear)(In, Out, const kernels::PicturePlace* places, Stream);
  void (*luma)(In, Out, kernels::LumaStandard, Stream);
  void (*subtract_absolute)(In a, In b, Out, Stream);
  void (*threshold)(In, Out, kernels::ThresholdRule<T>, Stream);
  void (*apply_tone_table)(In, Out, const T* table, Stream);            ///< null for float
  void (*apply_tone_curve)(In, Out, kernels::ToneCurve curve, Stream);  ///< null for integers
  void (*grey_world_gains)(In, float* gains, void* workspace, Stream);
  void (*apply_gains)(In, Out, const float* gains, Stream);
  void (*compute_histogram)(In, std::uint32_t* counts, Stream);
  void (*brightness_class)(In, const kernels::BrightnessThresholds&, std::int32_t* number,
                           void* workspace, Stream);

  void (*draw_color_bars)(Out, float level, Stream);
  void (*draw_zone_plate)(Out, std::uint64_t frame, double cycles_per_frame, void* workspace,
                          Stream);
  void (*draw_noise)(Out, std::uint64_t seed, std::uint64_t frame, Stream);

  /// convert_elements to a picture of To.
  template <class To>
  [[nodiscard]] Convert<To> convert_to() const noexcept {
    if constexpr (std::is_same_v<To, std::uint8_t>) {
      return convert_to_uint8;
    } else if constexpr (std::is_same_v<To, std::uint16_t>) {
      return convert_to_uint16;
    } else {
      return convert_to_float;
    }
  }
};

struct DeviceKernels {
  TypedDeviceKernels<std::uint8_t> for_uint8;
  TypedDeviceKernels<std::uint16_t> for_uint16;
  TypedDeviceKernels<float> for_float;

  void (*unpack_raw)(kernels::ImageView<const std::uint8_t>, kernels::ImageView<std::uint16_t>,
                     kernels::RawFormat, kernels::RawScale, kernels::Stream);
  void (*draw_histogram)(const std::uint32_t* counts, std::int64_t channels,
                         kernels::ImageView<std::uint8_t>, kernels::Stream);
  std::size_t (*zone_plate_workspace_bytes)(std::int64_t width, std::int64_t height);

  template <class T>
  [[nodiscard]] const TypedDeviceKernels<T>& of() const noexcept {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      return for_uint8;
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
      return for_uint16;
    } else {
      return for_float;
    }
  }
};

/// What image_cuda.so exports.
using GetDeviceKernels = const DeviceKernels* (*)();
inline constexpr const char* kGetDeviceKernels = "gxr_image_device_kernels";

/// Loads image_cuda.so the first time. Throws Error(NotSupported), which says why, without a GPU.
const DeviceKernels& device_kernels();

}  // namespace gxr::image
