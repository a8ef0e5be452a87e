#include "plan/loop_round.hpp"

#include <algorithm>
#include <cstddef>

namespace gxr {
namespace {

constexpr std::uint32_t kManySlots = 6;
/// Of so many operators an iteration is short beside what a trip of the loop costs.
constexpr std::size_t kFewSteps = 16;
/// Of a round.
constexpr std::uint32_t kSteps = 32;
constexpr std::uint32_t kMostIterations = 8;
constexpr std::size_t kNodes = 64;
/// Beside that, the 4 us of a trip do not count, and a round would delay the end.
constexpr std::chrono::microseconds kLongest{50};
constexpr std::uint32_t kIterationsOfMany = 2;  // more gained nothing

/// Is it not driven, and are its results not waited for?
bool runs_free(const GraphRegion& region) {
  return region.inputs.empty() && region.outputs.empty() && !region.options.host_driven &&
         region.handlers.empty();
}

/// About as many, so that rounds fill what lies between two iterations that are measured; rather
/// more, which makes good what choosing between these and the others costs.
std::uint32_t between_measured(std::uint32_t iterations, std::uint32_t every) {
  const std::uint32_t between = std::max(every, 2U) - 1;
  for (std::uint32_t round = std::min(2 * iterations - 1, between); round > iterations / 2;
       --round) {
    if (between % round == 0) {
      return round;
    }
  }
  return std::min(iterations, between);
}

}  // namespace

bool is_driven_by_many(const GraphRegion& region) {
  const GraphOptions& options = region.options;
  return options.loop == GraphLoop::Auto && options.slots >= kManySlots && !region.inputs.empty() &&
         !options.host_driven && options.ready == GraphReady::All && region.handlers.empty();
}

LoopRound round_of(const GraphRegion& region) {
  const GraphOptions& options = region.options;
  const bool is_short = region.steps.size() <= kFewSteps && region.branches.empty();
  const bool is_open =
      options.mode == GraphMode::Resident && options.loop == GraphLoop::Auto && options.unroll == 1;
  if (is_open && is_short && is_driven_by_many(region)) {
    return {kIterationsOfMany, true, kNodes, {}};
  }
  if (!is_open || !is_short || !runs_free(region)) {
    return {options.unroll};
  }
  const auto steps = static_cast<std::uint32_t>(std::max<std::size_t>(region.steps.size(), 1));
  std::uint32_t iterations = std::min(kSteps / steps, kMostIterations);
  if (options.instrument_every > 0) {
    iterations = between_measured(iterations, options.instrument_every);
  }
  return {iterations, iterations > 1, kNodes, kLongest};
}

}  // namespace gxr
