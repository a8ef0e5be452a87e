#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/kernels/areas.hpp"
#include "gxr/queue.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Says where a picture differs from the one before. Works on the CPU.
class MotionDetector final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  /// Where the present picture differs from the one before; none for the first one.
  [[nodiscard]] std::vector<kernels::Area> changes(const InputImage& input);
  /// Keeps the grey values of the picture. False: there are none before to compare them with.
  bool take_grey(const InputImage& input);
  template <class T>
  [[nodiscard]] kernels::ImageView<T> view_of(std::vector<std::byte>& memory) const {
    return kernels::packed_view(reinterpret_cast<T*>(memory.data()), shape_.width, shape_.height,
                                1);
  }

  Input<Tensor> in_;
  Output<Tensor> out_;
  Parameter<std::string> in_tensor_name_;
  Parameter<double> level_;
  Parameter<std::int32_t> min_area_;
  Parameter<std::int32_t> cell_;

  ImageShape shape_;  // of the grey values that are kept
  ElementType type_ = ElementType::Custom;
  std::array<std::vector<std::byte>, 2> grey_;  // of the present picture, and of the one before
};

}  // namespace gxr::image
