#include "executors/cuda_graph/measured_operators.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace {

using namespace gxr;

/// Three operators and something else between them: `first` is followed by `left` and `right`,
/// which run beside each other.
MeasuredOperators measured(std::vector<MeasuredIteration> iterations) {
  return {{"first", "", "left", "right"}, std::move(iterations)};
}

MeasuredIteration whole(std::uint64_t number, std::int64_t begin) {
  return {number,
          begin,
          {{begin, begin + 10},
           {begin + 10, begin + 10},
           {begin + 10, begin + 40},
           {begin + 10, begin + 25}}};
}

struct Span {
  std::string name;
  std::int64_t begin;
  std::int64_t number;
};

std::vector<Span> spans_of(TraceEvents& trace, const std::string& track) {
  std::vector<Span> found;
  for (const TraceEvents::Track* each : trace.tracks()) {
    if (each->name() == track) {
      each->each([&](const TraceEvents::Event& event) {
        found.push_back({trace.names()[event.name], event.begin, event.number});
      });
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Operators have the times of the iterations in which they ran", "[measured]") {
  MeasuredIteration other = whole(199, 5000);
  other.parts[2] = {0, 0};  // it did not run
  GraphStatistics statistics;
  measured({whole(99, 1000), other}).add_to(statistics);
  CHECK(statistics.measured == 2);
  CHECK(statistics.measured_ns == 40 + 25);
  REQUIRE(statistics.operators.size() == 3);
  CHECK(statistics.operators[0].entity == "first");
  CHECK(statistics.operators[0].runs == 2);
  CHECK(statistics.operators[0].total_ns == 20);
  CHECK(statistics.operators[1].entity == "left");
  CHECK(statistics.operators[1].runs == 1);
  CHECK(statistics.operators[1].longest_ns == 30);
  CHECK(statistics.operators[2].total_ns == 30);
}

TEST_CASE("Operators that run beside each other are on tracks of their own", "[measured]") {
  TraceEvents trace;
  measured({whole(99, 1000), whole(199, 5000)}).add_to(trace, "GPU 0, loop");
  const std::vector<Span> iterations = spans_of(trace, "GPU 0, loop");
  REQUIRE(iterations.size() == 2);
  CHECK(iterations[1].number == 199);
  const std::vector<Span> one = spans_of(trace, "GPU 0, loop, operators");
  const std::vector<Span> beside = spans_of(trace, "GPU 0, loop, operators (2)");
  REQUIRE(one.size() == 4);
  CHECK(one[0].name == "first");
  CHECK(one[1].name == "left");
  CHECK(one[1].begin == 1010);
  REQUIRE(beside.size() == 2);
  CHECK(beside[0].name == "right");
  CHECK(beside[1].number == 199);
}

TEST_CASE("The operators that an iteration was in are those that have not ended", "[measured]") {
  MeasuredIteration broken = whole(50, 9000);
  broken.parts[2].end_ns = 0;
  broken.parts[3].end_ns = 0;
  const MeasuredOperators two = measured({whole(49, 8000), broken});
  CHECK(two.entered(50) == "'left' or 'right'");
  CHECK(two.entered(49).empty());
  CHECK(two.entered(51).empty());
  broken.parts = {{9000, 0}, {0, 0}, {0, 0}, {0, 0}};
  CHECK(measured({broken}).entered(50) == "'first'");
}
