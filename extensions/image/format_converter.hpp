#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "image/capturable_operator.hpp"
#include "image/resize.hpp"

namespace gxr::image {

/// Changes element type, channels and size of a picture. Keys, defaults and order of work (resize,
/// element type, alpha channel, channel order) are those of Holoscan's operator.
class FormatConverter final : public CapturableOperator {
 public:
  FormatConverter() noexcept
      : CapturableOperator(Geometry::Changed, "Empty: the empty name, as in Holoscan.") {}
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  /// Shape and type of the result, and the steps that lead to it.
  struct Plan {
    ImageShape shape;  ///< of the result
    ElementType type;  ///< of the result
    bool new_size;
    bool new_type;
    bool new_alpha;
    bool new_order;

    [[nodiscard]] int steps() const {
      return int{new_size} + int{new_type} + int{new_alpha} + int{new_order};
    }
  };
  /// Bytes of the two places that pictures between steps lie in, by turns.
  using ScratchSizes = std::array<std::size_t, 2>;
  class Steps;

  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override {
    return plan_for(input).shape;
  }
  [[nodiscard]] TensorForm result_form(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::size_t scratch_bytes(const InputImage& input) const override;
  void require_capturable() const override { check_parameters(); }
  [[nodiscard]] std::string_view result_name(const InputImage&) const override {
    return out_tensor_name();
  }

  void check_parameters() const;
  void check_input(const InputImage& input) const;
  /// Throws for inputs that it cannot take.
  [[nodiscard]] Plan plan_for(const InputImage& input) const;
  [[nodiscard]] std::int64_t channels_for(const InputImage& input) const;
  void check_order(std::int64_t channels) const;
  [[nodiscard]] bool resizes() const { return resize_width_.get() > 0 && resize_height_.get() > 0; }
  [[nodiscard]] ResizeMode resize_mode(bool smaller) const;
  [[nodiscard]] static ScratchSizes scratch_sizes(const InputImage& input, const Plan& plan);

  void take(const Plan& plan, const Work& work, Steps& steps) const;
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
