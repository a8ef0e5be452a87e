#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "image/image_operator.hpp"
#include "image/resize.hpp"

namespace gxr::image {

/// Changes element type, channels and size of a picture. Keys, defaults and order of work (resize,
/// element type, alpha channel, channel order) are those of Holoscan's operator.
class FormatConverter final : public ImageOperator {
 public:
  FormatConverter() noexcept
      : ImageOperator(Geometry::Changed, "Empty: the empty name, as in Holoscan.") {}
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  /// What the result will be.
  struct Target {
    ImageShape shape;
    ElementType type;
  };
  class Steps;

  void process(Task& task) override;
  [[nodiscard]] std::string_view result_name(const InputImage&) const override {
    return out_tensor_name();
  }
  void check_input(const InputImage& input) const;
  [[nodiscard]] Target target_for(const InputImage& input) const;
  [[nodiscard]] std::int64_t channels_for(const InputImage& input) const;
  void check_order(std::int64_t channels) const;
  [[nodiscard]] bool resizes() const { return resize_width_.get() > 0 && resize_height_.get() > 0; }
  [[nodiscard]] ResizeMode resize_mode(bool smaller) const;

  template <class T>
  kernels::ImageView<const T> resize(kernels::ImageView<const T> in, Steps& steps) const;
  template <class Out, class In>
  kernels::ImageView<const Out> convert(kernels::ImageView<const In> in, Steps& steps) const;
  template <class T>
  kernels::ImageView<const T> change_alpha(kernels::ImageView<const T> in, Steps& steps) const;
  template <class T>
  void change_order(kernels::ImageView<const T> in, Steps& steps) const;

  Parameter<std::string> in_dtype_;
  Parameter<std::string> out_dtype_;
  Parameter<float> scale_min_;
  Parameter<float> scale_max_;
  Parameter<std::uint8_t> alpha_value_;
  Parameter<std::int32_t> resize_width_;
  Parameter<std::int32_t> resize_height_;
  Parameter<std::int32_t> resize_mode_;
  Parameter<std::vector<int>> out_channel_order_;

  // Between two steps on the CPU; kept, so that a stream of equal pictures allocates once.
  std::array<std::vector<std::byte>, 2> scratch_;
};

}  // namespace gxr::image
