#pragma once

#include "gxr/gxr.hpp"
#include "gxr/monitor.hpp"

namespace gxr::testing {

/// Logs a line for every execution of every entity.
class EntityMonitor final : public Monitor {
 public:
  void on_execute(const Execution& execution) override;
};

/// Logs a line of every level per tick.
class TestLogger final : public Codelet {
 public:
  void tick() override;
};

/// Does nothing; stands for a component that handles can name.
class Frame final : public Component {};

}  // namespace gxr::testing
