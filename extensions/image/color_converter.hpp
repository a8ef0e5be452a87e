#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/kernels/yuv.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/queue.hpp"
#include "image/out_part.hpp"
#include "image/tensor_image.hpp"

namespace gxr {
namespace image {

/// How the bytes of a picture of 8 bits follow each other. Nv12 and I420 are VideoBuffers, the
/// others tensors.
enum class ColorFormat : std::uint8_t { Rgb, Bgr, Rgba, Gray, Yuy2, Nv12, I420 };

/// Values of the parameter `in_format`, for tensors.
enum class TensorColors : std::uint8_t { Auto, Rgb, Bgr, Rgba, Gray, Yuy2 };

/// The parameters `matrix` and `range`; Auto: see the parameters' descriptions.
enum class YuvMatrix : std::uint8_t { Auto, Bt601, Bt709, Bt2020 };
enum class YuvSpan : std::uint8_t { Auto, Limited, Full };

/// Converts pictures of 8 bits between colours, grey, and brightness with differences (YUV). Works
/// on the CPU.
class ColorConverter final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  /// A picture that the CPU reads: colours, or YUV.
  struct Picture {
    ColorFormat format = ColorFormat::Rgb;
    InputImage colors;  ///< of a tensor
    kernels::YuvView<const std::uint8_t> yuv;
    kernels::YuvCoding coding;  ///< of YUV; for colours that of the result
    std::string name;
  };
  [[nodiscard]] Picture picture_of(const InputImage& image) const;
  [[nodiscard]] Picture picture_of(const VideoBuffer& buffer, std::string_view name) const;
  [[nodiscard]] ColorFormat tensor_format(const InputImage& image) const;
  [[nodiscard]] kernels::YuvCoding coding(std::int64_t height) const;
  void convert(const Picture& in, Message& output);
  void convert_to_tensor(const Picture& in, Tensor& result);
  void convert_to_planes(const Picture& in, VideoBuffer& result);
  void recolor(const Picture& in, kernels::ImageView<std::uint8_t> out);
  [[nodiscard]] bool makes_planes() const {
    return out_format_.get() == ColorFormat::Nv12 || out_format_.get() == ColorFormat::I420;
  }

  Input<> in_;
  Output<> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  Parameter<TensorColors> in_format_;
  Parameter<ColorFormat> out_format_;
  Parameter<YuvMatrix> matrix_;
  Parameter<YuvSpan> range_;

  std::vector<std::uint8_t> scratch_;  // a picture between two steps
};

}  // namespace image

template <>
struct EnumNames<image::ColorFormat> {
  static constexpr std::pair<image::ColorFormat, const char*> values[] = {
      {image::ColorFormat::Rgb, "RGB"},   {image::ColorFormat::Bgr, "BGR"},
      {image::ColorFormat::Rgba, "RGBA"}, {image::ColorFormat::Gray, "GRAY8"},
      {image::ColorFormat::Yuy2, "YUY2"}, {image::ColorFormat::Nv12, "NV12"},
      {image::ColorFormat::I420, "I420"},
  };
};

template <>
struct EnumNames<image::TensorColors> {
  static constexpr std::pair<image::TensorColors, const char*> values[] = {
      {image::TensorColors::Auto, "auto"},  {image::TensorColors::Rgb, "RGB"},
      {image::TensorColors::Bgr, "BGR"},    {image::TensorColors::Rgba, "RGBA"},
      {image::TensorColors::Gray, "GRAY8"}, {image::TensorColors::Yuy2, "YUY2"},
  };
};

template <>
struct EnumNames<image::YuvMatrix> {
  static constexpr std::pair<image::YuvMatrix, const char*> values[] = {
      {image::YuvMatrix::Auto, "auto"},
      {image::YuvMatrix::Bt601, "bt601"},
      {image::YuvMatrix::Bt709, "bt709"},
      {image::YuvMatrix::Bt2020, "bt2020"},
  };
};

template <>
struct EnumNames<image::YuvSpan> {
  static constexpr std::pair<image::YuvSpan, const char*> values[] = {
      {image::YuvSpan::Auto, "auto"},
      {image::YuvSpan::Limited, "limited"},
      {image::YuvSpan::Full, "full"},
  };
};

}  // namespace gxr
