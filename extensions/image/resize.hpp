#pragma once

#include <cstdint>
#include <utility>

#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

inline constexpr const char* kScalingMixes = "scaling would mix its colours";

enum class ResizeMode : std::uint8_t { Bilinear, Area, Nearest };

/// Scales to `width` x `height`; a side that is 0 follows from the other and the aspect ratio, both
/// 0 keep the size.
ImageShape scaled_shape(const ImageShape& shape, std::int64_t width, std::int64_t height);

/// Scales to the size of `out`, on the CPU.
template <class T>
void resize_picture(kernels::ImageView<const T> in, kernels::ImageView<T> out, ResizeMode mode);
/// On the GPU.
template <class T>
void resize_picture(kernels::ImageView<const T> in, kernels::ImageView<T> out, ResizeMode mode,
                    const KernelPlace& place);

class Resize final : public CapturableOperator {
 public:
  Resize() noexcept : CapturableOperator(Geometry::Changed) {}
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;

  Parameter<std::int32_t> width_;
  Parameter<std::int32_t> height_;
  Parameter<ResizeMode> mode_;
};

}  // namespace image

template <>
struct EnumNames<image::ResizeMode> {
  static constexpr std::pair<image::ResizeMode, const char*> values[] = {
      {image::ResizeMode::Bilinear, "bilinear"},
      {image::ResizeMode::Area, "area"},
      {image::ResizeMode::Nearest, "nearest"},
  };
};

}  // namespace gxr
