#include "plan/loop_round.hpp"

#include "catch.hpp"
#include "made_region.hpp"

namespace {

using namespace gxr;
using test::MadeRegion;

MadeRegion chain_of(std::size_t steps) {
  MadeRegion made;
  made.step({}, {});
  for (StepId step = 1; step < steps; ++step) {
    made.step({}, {step - 1});
  }
  return made;
}

std::uint32_t iterations_of(std::size_t steps, std::uint32_t measured_every = 0) {
  MadeRegion made = chain_of(steps);
  made.region.options.instrument_every = measured_every;
  return round_of(made.region).iterations;
}

}  // namespace

TEST_CASE("Rounds of a loop that nobody drives are the larger the shorter it is", "[loop_round]") {
  CHECK(iterations_of(1) == 8);
  CHECK(iterations_of(4) == 8);
  CHECK(iterations_of(5) == 6);
  CHECK(iterations_of(16) == 2);
  CHECK(iterations_of(17) == 1);
}

TEST_CASE("Rounds fill what lies between measured iterations", "[loop_round]") {
  CHECK(iterations_of(1, 100) == 11);
  CHECK(iterations_of(4, 100) == 11);
  CHECK(iterations_of(16, 100) == 3);
  CHECK(iterations_of(17, 100) == 1);
  CHECK(iterations_of(1, 98) == 8);  // 97 is a prime number
  CHECK(iterations_of(1, 14) == 13);
  CHECK(iterations_of(1, 5) == 4);
  CHECK(iterations_of(1, 2) == 1);
  CHECK(iterations_of(1, 1) == 1);
}

TEST_CASE("Who drives a loop decides whether it has rounds", "[loop_round]") {
  MadeRegion made = chain_of(4);
  GraphOptions& options = made.region.options;

  SECTION("messages, of which many wait") {
    made.region.inputs.emplace_back();
    made.region.outputs.emplace_back();
    CHECK(round_of(made.region).iterations == 1);
    options.slots = 6;
    CHECK(is_driven_by_many(made.region));
    CHECK(round_of(made.region).iterations == 2);
    options.ready = GraphReady::Any;
    CHECK_FALSE(is_driven_by_many(made.region));
    CHECK(round_of(made.region).iterations == 1);
  }
  SECTION("results that wait for room") {
    made.region.outputs.emplace_back();
    CHECK(round_of(made.region).iterations == 1);
  }
  SECTION("a program") {
    options.host_driven = true;
    CHECK(round_of(made.region).iterations == 1);
  }
  SECTION("looks for input") {
    made.region.handlers.emplace_back();
    CHECK(round_of(made.region).iterations == 1);
  }
  SECTION("branches") {
    made.branch(BranchKind::If, 0, 1);
    CHECK(round_of(made.region).iterations == 1);
  }
  SECTION("what its author says") {
    CHECK(round_of(made.region).is_chosen);
    CHECK(round_of(made.region).nodes > 0);
    options.unroll = 3;
    CHECK(round_of(made.region).iterations == 3);
    CHECK_FALSE(round_of(made.region).is_chosen);
    CHECK(round_of(made.region).nodes == 0);
    CHECK(round_of(made.region).longest_iteration.count() == 0);
    options.unroll = 1;
    options.loop = GraphLoop::ControlAtEnd;
    CHECK(round_of(made.region).iterations == 1);
  }
  SECTION("the host, which launches each") {
    options.mode = GraphMode::Graph;
    CHECK(round_of(made.region).iterations == 1);
  }
}
