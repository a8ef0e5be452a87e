#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Counts the calls of start, tick and stop; the check after the run is up to the derived class.
class CallCount : public Codelet {
 public:
  void initialize() override { starts_ = ticks_ = stops_ = 0; }
  void start() override { ++starts_; }
  void tick() override { ++ticks_; }
  void stop() override { ++stops_; }

 protected:
  [[nodiscard]] std::uint64_t starts() const noexcept { return starts_; }
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  [[nodiscard]] std::uint64_t stops() const noexcept { return stops_; }

 private:
  std::uint64_t starts_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t stops_ = 0;
};

/// Fails the run when it was not started, ticked and stopped as often as expected.
class StepCount final : public CallCount {
 public:
  void declare(Interface& interface) override;
  void deinitialize() override;

 private:
  Parameter<bool> use_assert_;
  Parameter<std::uint64_t> expected_start_count_;
  Parameter<std::uint64_t> expected_count_;
};

/// Fails the run when its ticks were fewer or more than expected.
class StepRangeCount final : public CallCount {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;

 private:
  Parameter<std::uint64_t> expected_count_range_start_;
  Parameter<std::uint64_t> expected_count_range_end_;
};

}  // namespace gxr::testing
