#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/kernels/paint.hpp"
#include "gxr/queue.hpp"
#include "image/out_part.hpp"
#include "image/overlay_text.hpp"
#include "image/tensor_image.hpp"

namespace gxr {
namespace image {

enum class Corner : std::uint8_t { TopLeft, TopRight, BottomLeft, BottomRight };

/// Draws boxes and a text over a picture. Works on the CPU.
class Overlay final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  using Boxes = std::vector<kernels::Rectangle>;

  void declare_text(Interface& interface);
  /// Those of the parameter. Throws Error(InvalidParameter).
  [[nodiscard]] Boxes own_boxes() const;
  /// Those of the parameter, and of messages.
  [[nodiscard]] Boxes all_boxes(const Message& message) const;
  template <class T>
  void draw(kernels::ImageView<T> image, const Boxes& boxes, const std::string& text) const;
  template <class T>
  void draw_text(kernels::ImageView<T> image, const std::string& text) const;

  Input<Tensor> in_;
  Input<Tensor> boxes_in_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  Parameter<std::string> boxes_tensor_name_;
  Parameter<std::vector<std::vector<std::int32_t>>> boxes_;
  Parameter<std::vector<double>> box_color_;
  Parameter<std::int32_t> thickness_;
  Parameter<std::string> text_;
  Parameter<std::vector<double>> text_color_;
  Parameter<std::int32_t> scale_;
  Parameter<Corner> corner_;
  Parameter<std::int32_t> margin_;
  Parameter<double> background_;

  Boxes own_boxes_;
  OverlayText pattern_;
  std::array<float, 3> box_rgb_{};
  std::array<float, 3> text_rgb_{};
};

}  // namespace image

template <>
struct EnumNames<image::Corner> {
  static constexpr std::pair<image::Corner, const char*> values[] = {
      {image::Corner::TopLeft, "top_left"},
      {image::Corner::TopRight, "top_right"},
      {image::Corner::BottomLeft, "bottom_left"},
      {image::Corner::BottomRight, "bottom_right"},
  };
};

}  // namespace gxr
