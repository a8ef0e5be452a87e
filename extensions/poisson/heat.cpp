#include "poisson/heat.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "poisson/grid.hpp"

namespace gxr::poisson {

void Heat::declare(Interface& interface) {
  interface.output(out_, "out", "Grids of heat, float32 [height, width, 1]")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.parameter(pool_, "pool", "Allocator of their memory");
  interface.parameter(width_, "width", "Points of a row").default_value(64).minimum(3);
  interface.parameter(height_, "height", "Rows").default_value(64).minimum(3);
  interface.parameter(strength_, "strength", "Heat of a point of a spot").default_value(0.01F);
  interface.parameter(period_, "period", "Grids in which the spots go round once")
      .default_value(16)
      .minimum(1);
}

void Heat::tick() {
  const Grid grid{*height_, *width_};
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>();
  tensor.allocate<float>(**pool_, spec_of(grid).shape);
  auto* const values = tensor.data<float>();
  std::fill_n(values, grid.size(), 0.0F);
  const double turn =
      2.0 * std::numbers::pi * static_cast<double>(execution_count() - 1) / *period_;
  const std::int32_t size = std::max(1, std::min(grid.height, grid.width) / 8);
  for (const double angle : {turn, turn + std::numbers::pi}) {
    const auto y = static_cast<std::int32_t>((0.5 + 0.3 * std::sin(angle)) * grid.height);
    const auto x = static_cast<std::int32_t>((0.5 + 0.3 * std::cos(angle)) * grid.width);
    for (std::int32_t row = std::max(0, y - size / 2);
         row < std::min(grid.height, y - size / 2 + size); ++row) {
      const std::int32_t first = std::max(0, x - size / 2);
      const std::int32_t end = std::min(grid.width, x - size / 2 + size);
      std::fill(values + static_cast<std::ptrdiff_t>(row) * grid.width + first,
                values + static_cast<std::ptrdiff_t>(row) * grid.width + end, *strength_);
    }
  }
  message.set_sequence(static_cast<std::uint64_t>(execution_count()));
  message.set_source_time(execution_timestamp());
  out_.publish(std::move(message), execution_timestamp());
}

}  // namespace gxr::poisson
