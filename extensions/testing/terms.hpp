#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// READY a period and up to 99 ns after the tick before; the same in every run.
class PeriodicSchedulingTermWithDelay final : public SchedulingTerm {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override;
  void events(TermEvents&) override {}
  [[nodiscard]] std::string explain() const override;

 private:
  Parameter<Duration> recess_period_;
  Parameter<PeriodicSchedulingPolicy> policy_;
  std::minstd_rand random_;
  std::int64_t next_ = 0;
  bool started_ = false;
};

/// Always WAIT.
class WaitSchedulingTerm final : public SchedulingTerm {
 public:
  Condition check(std::int64_t) override { return {ConditionType::Wait, 0}; }
  void events(TermEvents&) override {}
  [[nodiscard]] std::string explain() const override;
};

}  // namespace gxr::testing
