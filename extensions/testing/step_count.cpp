#include "step_count.hpp"

#include <string>

namespace gxr::testing {
namespace {

std::string times(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " time" : " times");
}

std::string called(const char* method, std::uint64_t count) {
  return std::string(method) + " was called " + times(count);
}

}  // namespace

void CallCount::declare(Interface& interface) {
  interface
      .parameter(use_assert_, "use_assert", "Makes no difference here",
                 "GXF ends the process when the counts differ. Here the run fails in order, with "
                 "the same exit code 1, whether it is set or not.")
      .default_value(false);
  interface
      .parameter(expected_start_count_, "expected_start_count", "How often start() must be called")
      .default_value(1)
      .unit("calls");
}

void CallCount::deinitialize() {
  std::string problems;
  const auto add = [&problems](const std::string& text) {
    problems += (problems.empty() || text.empty() ? "" : "; ") + text;
  };
  if (starts_ != *expected_start_count_) {
    add(called("start()", starts_) + ", expected_start_count is " +
        std::to_string(*expected_start_count_));
  }
  add(problem_of_ticks(ticks_));
  if (starts_ != stops_) {
    add(called("start()", starts_) + " and " + called("stop()", stops_));
  }
  if (!problems.empty()) {
    throw Error(problems);
  }
}

void StepCount::declare(Interface& interface) {
  CallCount::declare(interface);
  interface.parameter(expected_count_, "expected_count", "How often tick() must be called")
      .default_value(0)
      .unit("calls");
}

std::string StepCount::problem_of_ticks(std::uint64_t ticks) const {
  return ticks == *expected_count_
             ? ""
             : called("tick()", ticks) + ", expected_count is " + std::to_string(*expected_count_);
}

void StepRangeCount::declare(Interface& interface) {
  CallCount::declare(interface);
  interface
      .parameter(expected_count_range_start_, "expected_count_range_start",
                 "How often tick() must be called at least")
      .default_value(0)
      .unit("calls");
  interface
      .parameter(expected_count_range_end_, "expected_count_range_end",
                 "How often tick() may be called at most")
      .default_value(0)
      .unit("calls");
}

void StepRangeCount::initialize() {
  CallCount::initialize();
  if (*expected_count_range_start_ > *expected_count_range_end_) {
    throw Error(ErrorCode::InvalidParameter, "expected_count_range_start (" +
                                                 std::to_string(*expected_count_range_start_) +
                                                 ") is greater than expected_count_range_end (" +
                                                 std::to_string(*expected_count_range_end_) + ")");
  }
}

std::string StepRangeCount::problem_of_ticks(std::uint64_t ticks) const {
  const bool is_right =
      ticks >= *expected_count_range_start_ && ticks <= *expected_count_range_end_;
  return is_right ? ""
                  : called("tick()", ticks) + ", expected are " +
                        std::to_string(*expected_count_range_start_) + " to " +
                        times(*expected_count_range_end_);
}

}  // namespace gxr::testing
