#include "poisson/check.hpp"

#include <string>

#include "gxr/plain_text.hpp"
#include "poisson/grid.hpp"

namespace gxr::poisson {

void Check::declare(Interface& interface) {
  interface.input(heat_, "heat", "Where the plate is heated, float32 [height, width, 1]")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.input(field_, "field", "The temperature that was found, shaped as the heat")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.parameter(tolerance_, "tolerance", "That of the solver").default_value(1e-5F);
  interface.parameter(sweeps_, "sweeps", "Sweeps between two looks at the residual")
      .default_value(2)
      .minimum(1);
  interface.parameter(limit_, "limit", "Looks at the residual at most, for one grid")
      .default_value(100'000);
}

void Check::start() {
  solution_.clear();
  right_ = 0;
  rounds_ = 0;
}

void Check::tick() {
  const ReceivedGrid heat(heat_);
  const ReceivedGrid field(field_);
  require_same(heat.grid(), field.grid());
  solution_.resize(heat.grid().size());
  std::vector<float> next(solution_.size());
  std::uint64_t rounds = 0;
  do {
    for (std::int32_t i = 0; i < *sweeps_; ++i) {
      sweep(heat.grid(), solution_.data(), heat.data(), next.data());
      solution_.swap(next);
    }
  } while (++rounds < *limit_ &&
           residual(heat.grid(), solution_.data(), heat.data()) > *tolerance_);
  for (std::size_t i = 0; i < solution_.size(); ++i) {
    if (solution_[i] != field.data()[i]) {
      throw Error(ErrorCode::InvalidData,
                  "grid " + std::to_string(execution_count()) + ": point " + std::to_string(i) +
                      " is " + general_text(field.data()[i], 9) + ", and on the CPU " +
                      general_text(solution_[i], 9) + " after " + std::to_string(rounds) +
                      " looks at the residual");
    }
  }
  rounds_ += rounds;
  ++right_;
}

void Check::stop() {
  log_info(std::to_string(right_) + (right_ == 1 ? " grid right, " : " grids right, ") +
           std::to_string(rounds_) + " looks at the residual");
}

}  // namespace gxr::poisson
