#include "poisson/grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gxr/host_copy.hpp"

namespace gxr::poisson {
namespace {

/// ((above + below) + (left of it + right of it)); 0 outside.
float neighbours(const Grid& grid, const float* field, std::int32_t y, std::int32_t x) {
  const float* const at = field + static_cast<std::ptrdiff_t>(y) * grid.width + x;
  const float above = y > 0 ? at[-grid.width] : 0.0F;
  const float below = y + 1 < grid.height ? at[grid.width] : 0.0F;
  const float left = x > 0 ? at[-1] : 0.0F;
  const float right = x + 1 < grid.width ? at[1] : 0.0F;
  return (above + below) + (left + right);
}

}  // namespace

Grid grid_of(const Shape& shape, ElementType type) {
  if (type != ElementType::Float32 || shape.rank() != 3 || shape.dimension(2) != 1) {
    throw Error(ErrorCode::InvalidArgument, "works on grids, float32 [height, width, 1], not on " +
                                                TensorSpec{shape, type, 0, {}}.to_string());
  }
  return {shape.dimension(0), shape.dimension(1)};
}

TensorSpec spec_of(const Grid& grid) {
  return {{grid.height, grid.width, 1}, ElementType::Float32, 0, {}};
}

void require_same(const Grid& first, const Grid& other) {
  if (!(first == other)) {
    throw Error(ErrorCode::InvalidArgument,
                "inputs have different shapes: " + spec_of(first).to_string() + " and " +
                    spec_of(other).to_string());
  }
}

void sweep(const Grid& grid, const float* last, const float* heat, float* out) {
  for (std::int32_t y = 0; y < grid.height; ++y) {
    for (std::int32_t x = 0; x < grid.width; ++x) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * grid.width + x;
      out[at] = (neighbours(grid, last, y, x) + heat[at]) * 0.25F;
    }
  }
}

float residual(const Grid& grid, const float* field, const float* heat) {
  float largest = 0.0F;
  for (std::int32_t y = 0; y < grid.height; ++y) {
    for (std::int32_t x = 0; x < grid.width; ++x) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * grid.width + x;
      const float sum = neighbours(grid, field, y, x) + heat[at];
      largest = std::max(largest, std::fabs(sum - 4.0F * field[at]));
    }
  }
  return largest;
}

ReceivedGrid::ReceivedGrid(Receiver& port) : message_(port.receive()) {
  const auto& tensor = message_.get<Tensor>();
  grid_ = grid_of(tensor.shape(), tensor.element_type());
  if (!tensor.is_contiguous()) {
    throw Error(ErrorCode::InvalidArgument, "works on grids without gaps");
  }
  const HostView view(tensor);
  values_.resize(grid_.size());
  std::memcpy(values_.data(), view.pointer(), grid_.size() * sizeof(float));
}

}  // namespace gxr::poisson
