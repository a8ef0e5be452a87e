#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gxr/scheduling_term.hpp"

namespace gxr {

/// What a SchedulingTermCombiner makes of its terms, as one term for the schedulers.
class CombinedTerm final : public SchedulingTerm {
 public:
  explicit CombinedTerm(const SchedulingTermCombiner& combiner);

  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  const SchedulingTermCombiner& combiner_;
  std::vector<SchedulingTerm*> terms_;
};

}  // namespace gxr
