#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "image/out_part.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Puts pictures of several receivers side by side and below each other. Works on the CPU.
class Mosaic final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  /// Of the result, in cells and in pixels of a cell.
  struct Grid {
    std::int64_t columns;
    std::int64_t rows;
    ImageShape cell;
  };
  [[nodiscard]] Grid grid_for(const InputImage& first) const;
  /// Puts the picture into the middle of the cell, as large as fits.
  static void place(const InputImage& image, const Grid& grid, std::int64_t cell, Tensor& result,
                    const ImageShape& shape);

  Parameter<std::vector<Handle<Receiver>>> inputs_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int32_t> columns_;
  Parameter<std::int32_t> cell_width_;
  Parameter<std::int32_t> cell_height_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
};

}  // namespace gxr::image
