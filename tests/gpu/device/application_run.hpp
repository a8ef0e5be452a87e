#pragma once

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/report.hpp"

namespace gxr::test {

inline void require_valid(Application& app) {
  const bool valid = app.validate();
  INFO(app.problems_text());
  REQUIRE(valid);
}

inline void run_async(Application& app) {
  require_valid(app);
  app.run_async();
}

/// The only graph of a run that was interrupted.
inline GraphStatistics graph_of(const Report& report) {
  for (const Failure& failure : report.failures) {
    FAIL_CHECK(describe(failure));
  }
  CHECK(report.reason == EndReason::Interrupted);
  REQUIRE(report.graphs.size() == 1);
  return report.graphs.front();
}

}  // namespace gxr::test
