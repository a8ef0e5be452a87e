// Graphs and loops of messages on the fake device, from their begin to their end.

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/device_runtime.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {
namespace {

using Numbers = std::vector<std::int64_t>;

const char* const kModes[] = {"mode: graph", "mode: resident", "mode: resident, slots: 5",
                              "mode: resident, loop: head_tail"};
const char* const kSchedulers[] = {"gxr::GreedyScheduler", "gxr::MultiThreadScheduler",
                                   "gxr::EventBasedScheduler"};

Numbers from_to(std::int64_t first, std::int64_t last) {
  Numbers numbers(static_cast<std::size_t>(last - first + 1));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

struct Ran {
  Report report;
  Numbers kept;
};

Ran run(const std::string& text, const std::shared_ptr<Switches>& switches) {
  Application app;
  load(app, text, switches);
  Report report = app.run();
  return {std::move(report), switches->kept()};
}

MadeApplication chain(std::uint64_t count) {
  MadeApplication made;
  made.feed("feed", count)
      .graph_operator("add", "Add", {{"in", "feed"}}, "value: 10")
      .graph_operator("scale", "Scale", {{"in", "add"}}, "factor: 2")
      .keep("keep", "scale");
  return made;
}

}  // namespace

TEST_CASE("The device of these tests is the fake one") {
  REQUIRE(DeviceRuntime::why_none().empty());
  CHECK(DeviceRuntime::get().device_name(0) == "fake");
}

TEST_CASE("Messages come through a graph in their order") {
  for (const char* scheduler : kSchedulers) {
    for (const char* mode : kModes) {
      INFO(scheduler << ", " << mode);
      const Ran ran = run(chain(200).text(mode, scheduler), std::make_shared<Switches>());
      CHECK(ran.report.reason == EndReason::Completed);
      Numbers wanted;
      for (const std::int64_t number : from_to(1, 200)) {
        wanted.push_back((number + 10) * 2);
      }
      CHECK(ran.kept == wanted);
      REQUIRE(ran.report.graphs.size() == 1);
      CHECK(ran.report.graphs.front().iterations == 200);
    }
  }
}

TEST_CASE("An operator prepares its capture once, with zeros, and nothing of that is seen") {
  for (const char* mode : kModes) {
    INFO(mode);
    MadeApplication made;
    made.feed("feed", 5)
        .graph_operator("ready", "Ready", {{"in", "feed"}})
        .graph_operator("add", "Add", {{"in", "ready"}}, "value: 10")
        .keep("keep", "add");
    const Ran ran = run(made.text(mode, kSchedulers[0]), std::make_shared<Switches>());
    CHECK(ran.report.reason == EndReason::Completed);
    CHECK(ran.kept == Numbers{-1000, 11, 12, 13, 14, 15});
  }
}

}  // namespace gxr::test
