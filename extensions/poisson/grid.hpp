#pragma once

#include <cstdint>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::poisson {

/// A grid of float32, row by row; its tensor has the shape [height, width, 1], as pictures have.
/// What is around it is 0.
struct Grid {
  std::int32_t height = 0;
  std::int32_t width = 0;

  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  }
  bool operator==(const Grid&) const = default;
};

/// Throws Error(InvalidArgument) when it is no grid.
Grid grid_of(const Shape& shape, ElementType type);
TensorSpec spec_of(const Grid& grid);
/// Throws Error(InvalidArgument).
void require_same(const Grid& first, const Grid& other);

/// One sweep of Jacobi's method: each point gets the mean of its neighbours and a quarter of
/// `heat`. The GPU does the same operations in the same order, so the results are the same bits.
void sweep(const Grid& grid, const float* last, const float* heat, float* out);
/// The largest |heat + sum of neighbours - 4 field|.
float residual(const Grid& grid, const float* field, const float* heat);

/// A received grid, on the CPU.
class ReceivedGrid {
 public:
  explicit ReceivedGrid(Receiver& port);

  [[nodiscard]] const Message& message() const noexcept { return message_; }
  [[nodiscard]] const Grid& grid() const noexcept { return grid_; }
  [[nodiscard]] const float* data() const noexcept { return values_.data(); }

 private:
  Message message_;
  Grid grid_;
  std::vector<float> values_;
};

}  // namespace gxr::poisson
