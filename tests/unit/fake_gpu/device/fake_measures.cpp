#include "fake_measures.hpp"

#include <algorithm>
#include <utility>

#include "system/nanoseconds.hpp"

namespace gxr::fake {

bool FakeMeasures::run(const FakeNodes& nodes, std::uint64_t number) {
  constexpr std::size_t kMost = 256;
  if (every_ == 0 || number % every_ != 0) {
    return nodes.run(false);
  }
  MeasuredIteration iteration{number, steady_now(), {}};
  iteration.parts.resize(nodes.parts().size());
  const bool went_well = nodes.run(false, &iteration);
  const std::lock_guard lock(mutex_);
  measured_.push_back(std::move(iteration));
  if (measured_.size() > kMost) {
    measured_.pop_front();
  }
  return went_well;
}

std::vector<MeasuredIteration> FakeMeasures::last(std::size_t most) const {
  const std::lock_guard lock(mutex_);
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, measured_.size()));
  return {measured_.end() - count, measured_.end()};
}

void FakeMeasures::clear() {
  const std::lock_guard lock(mutex_);
  measured_.clear();
}

}  // namespace gxr::fake
