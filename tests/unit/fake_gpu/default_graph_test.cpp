// Applications in the short form that are CUDA graphs by default, on the fake device.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {
namespace {

const std::string kShortForm = R"(
name: count
operator: gxr::test::Count
count: 500
---
name: add
operator: gxr::test::Add
inputs: {in: count}
parameters: {value: 3}
---
name: give
operator: gxr::test::Give
inputs: {in: add}
)";

}  // namespace

TEST_CASE("An application of graph operators loops on the GPU without an executor") {
  Application app;
  const auto switches = std::make_shared<Switches>();
  load(app, kShortForm, switches);
  const bool valid = app.validate();
  INFO(app.problems_text());
  REQUIRE(valid);
  const Report report = app.run();
  CHECK(report.reason == EndReason::Completed);
  CHECK(report.failures.empty());
  REQUIRE(report.graphs.size() == 1);
  CHECK(report.graphs[0].loops);
  CHECK(report.graphs[0].iterations == 500);
  const std::vector<std::int64_t> kept = switches->kept();
  REQUIRE(kept.size() == 500);
  CHECK(kept.front() == 4);
  CHECK(kept.back() == 503);
}

TEST_CASE("An executor for the CPU keeps graph operators there") {
  Application app;
  load(app, kShortForm, std::make_shared<Switches>());
  app.executor("greedy");
  const Report report = app.run();
  CHECK(report.graphs.empty());
  CHECK(report.reason == EndReason::Failed);  // they run in a graph only
}

}  // namespace gxr::test
