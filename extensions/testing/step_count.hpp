#pragma once

#include <cstdint>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Counts the calls of start, tick and stop; fails the run when it was not started as often as
/// expected, or not stopped as often as started. How many ticks are right is up to the derived
/// class.
class CallCount : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override { starts_ = ticks_ = stops_ = 0; }
  void deinitialize() override;
  void start() override { ++starts_; }
  void tick() override { ++ticks_; }
  void stop() override { ++stops_; }

 protected:
  /// Says why that many ticks are wrong; empty when they are right.
  [[nodiscard]] virtual std::string problem_of_ticks(std::uint64_t ticks) const = 0;

 private:
  Parameter<bool> use_assert_;
  Parameter<std::uint64_t> expected_start_count_;
  std::uint64_t starts_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t stops_ = 0;
};

/// Fails the run when it was not started, ticked and stopped as often as expected.
class StepCount final : public CallCount {
 public:
  void declare(Interface& interface) override;

 protected:
  [[nodiscard]] std::string problem_of_ticks(std::uint64_t ticks) const override;

 private:
  Parameter<std::uint64_t> expected_count_;
};

/// Fails the run when its ticks were fewer or more than expected, or its starts and stops were not
/// as expected.
class StepRangeCount final : public CallCount {
 public:
  void declare(Interface& interface) override;
  void initialize() override;

 protected:
  [[nodiscard]] std::string problem_of_ticks(std::uint64_t ticks) const override;

 private:
  Parameter<std::uint64_t> expected_count_range_start_;
  Parameter<std::uint64_t> expected_count_range_end_;
};

}  // namespace gxr::testing
