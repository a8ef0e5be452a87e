#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/device_loop.hpp"
#include "gxr/report.hpp"
#include "observe/trace_events.hpp"

namespace gxr {

/// The times of a loop's operators, from measured iterations.
class MeasuredOperators {
 public:
  /// `entities`: by part of the loop; empty: a part that is no operator.
  MeasuredOperators(std::vector<std::string> entities, std::vector<MeasuredIteration> iterations)
      : entities_(std::move(entities)), iterations_(std::move(iterations)) {}

  void add_to(GraphStatistics& statistics) const;
  /// On tracks called `name`: operators that run beside each other need several.
  void add_to(TraceEvents& trace, const std::string& name) const;
  /// The operators that iteration `number` was in when nothing came after, "'a'" or "'a' or 'b'";
  /// empty: it was not measured, or was in none.
  [[nodiscard]] std::string entered(std::uint64_t number) const;

 private:
  std::vector<std::string> entities_;
  std::vector<MeasuredIteration> iterations_;
};

}  // namespace gxr
