#pragma once

#include <cstdint>
#include <string>

#include "executors/cuda_graph/resident_runner.hpp"
#include "executors/urgent_term.hpp"

namespace gxr {

/// The scheduling term of the region's entity. However often it is asked, by whomever, nothing
/// changes: it only reads what ticks have noted, and what the GPU has counted meanwhile.
/// has_to_act() says whether something is to be noted or done about that, and the tick does it; the
/// tick also tells the poller what it has seen, and what is to be expected. Executors ask again
/// behind each tick, so nothing is overlooked between a tick and an answer; the poller tells what
/// happens behind an answer.
class ResidentRunner::Term final : public UrgentTerm {
 public:
  explicit Term(ResidentRunner& runner) : runner_(runner) {}

  [[nodiscard]] bool is_urgent() override;
  void announce_urgent_tick() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

  // With the lock held, when there is a loop:

  /// Is something to be done that needs no room behind the outputs?
  [[nodiscard]] bool has_to_act(std::uint64_t finished) const;

 private:
  [[nodiscard]] bool has_to_pass(std::uint64_t finished) const;
  [[nodiscard]] bool awaits_outside(std::uint64_t finished) const;

  ResidentRunner& runner_;
};

}  // namespace gxr
