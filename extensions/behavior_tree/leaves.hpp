#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gxr/driven_terms.hpp"
#include "gxr/gxr.hpp"
#include "run.hpp"

namespace gxr::behavior_tree {

/// A node that ends at once, always in the same way.
class ConstantBehavior final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<BTSchedulingTerm>> s_term_;
  Parameter<std::size_t> constant_status_;
};

/// A node that runs for some time and then ends as told.
class TimerBehavior final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  [[nodiscard]] std::int64_t remaining();
  void end();

  Parameter<Handle<BTSchedulingTerm>> s_term_;
  Parameter<Handle<Clock>> clock_;
  Parameter<std::size_t> switch_status_;
  Parameter<double> delay_;
  Run own_;
  std::optional<std::int64_t> end_;  // of the run that goes on, on clock_
};

}  // namespace gxr::behavior_tree
