#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>

#include "catch.hpp"
#include "ranks/rank_simulation.hpp"

namespace gxr::test {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr Rank kManyRanks = 10'000;

struct Totals {
  std::uint64_t runs = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t messages = 0;
  std::uint64_t waves = 0;
  std::uint64_t most_waves = 0;
};

/// Sizes of 2 to 64 ranks, each as often as the others.
Rank some_ranks(std::uint64_t seed) { return static_cast<Rank>(2 + seed % 63); }

/// Runs the schedules of seeds less than `runs`. Fails at the first violation.
Totals check_schedules(std::uint64_t runs, Rank (*ranks_of)(std::uint64_t seed)) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const Outcome outcome = simulate(ranks_of(seed), seed);
    if (!outcome.violation.empty()) {
      FAIL("simulate(" << ranks_of(seed) << ", " << seed << "): " << outcome.violation);
    }
    ++totals.runs;
    totals.deadlocks += outcome.is_deadlock ? 1 : 0;
    totals.messages += outcome.messages;
    totals.waves += outcome.waves;
    totals.most_waves = std::max<std::uint64_t>(totals.most_waves, outcome.waves);
  }
  CHECK(totals.runs == runs);
  return totals;
}

Rank many_ranks(std::uint64_t /*seed*/) { return kManyRanks; }

/// The first violation that a fault causes; empty: none in 10,000 schedules.
std::string violation_by(Fault fault) {
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const Outcome outcome = simulate(some_ranks(seed), seed, Load::Random, fault);
    if (!outcome.violation.empty()) {
      return outcome.violation;
    }
  }
  return {};
}

/// Means of `runs` schedules, rounded.
Outcome mean_outcome(Rank ranks, Load load, std::uint64_t runs) {
  Outcome mean;
  std::uint64_t waves = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const Outcome outcome = simulate(ranks, seed, load);
    REQUIRE(outcome.violation.empty());
    mean.messages += outcome.messages;
    mean.frames += outcome.frames;
    mean.control_messages += outcome.control_messages;
    mean.control_after_end += outcome.control_after_end;
    waves += outcome.waves;
  }
  const auto divide = [&](std::uint64_t sum) { return (sum + runs / 2) / runs; };
  mean.messages = divide(mean.messages);
  mean.frames = divide(mean.frames);
  mean.control_messages = divide(mean.control_messages);
  mean.control_after_end = divide(mean.control_after_end);
  mean.waves = static_cast<std::uint32_t>(divide(waves));
  return mean;
}

}  // namespace

TEST_CASE("No end is found too early and none is missed", "[simulation]") {
  const Totals totals = check_schedules(10'000, some_ranks);
  // The schedules are what they should be: some deadlock, others do not, and frames are under way
  // while waves pass.
  CHECK(totals.deadlocks > totals.runs / 20);
  CHECK(totals.deadlocks < totals.runs / 2);
  CHECK(totals.messages > 50 * totals.runs);
  CHECK(totals.waves > 4 * totals.runs);
  CHECK(totals.most_waves > 50);
}

TEST_CASE("Neither is one of ten thousand ranks", "[simulation]") {
  const Totals totals = check_schedules(10, many_ranks);
  CHECK(totals.messages > totals.runs * kManyRanks);
}

TEST_CASE("One rank ends by itself in any schedule", "[simulation]") {
  check_schedules(100, [](std::uint64_t /*seed*/) { return Rank{1}; });
}

// A test of its own, ranks/million, which `make slow-test` runs.
TEST_CASE("No end is found too early and none is missed, a million times", "[.slow]") {
  check_schedules(1'000'000, some_ranks);
  check_schedules(1'000, many_ranks);
}

// Prints the table of docs/ranks.md.
TEST_CASE("What it costs to find the end", "[.costs]") {
  std::cout << "| load | ranks | messages | frames | waves | messages of waves | per message | "
               "per frame | after the end |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [load, name] :
       {std::pair{Load::Stream, "stream"}, {Load::Random, "random"}, {Load::Token, "token"}}) {
    for (const Rank ranks : {2U, 4U, 8U, 16U, 32U, 64U, kManyRanks}) {
      const Outcome mean = mean_outcome(ranks, load, ranks == kManyRanks ? 10 : 1000);
      const auto control = static_cast<double>(mean.control_messages);
      std::cout << "| " << name << " | " << ranks << " | " << mean.messages << " | " << mean.frames
                << " | " << mean.waves << " | " << mean.control_messages << std::fixed
                << std::setprecision(2) << " | " << control / static_cast<double>(mean.messages)
                << " | " << control / static_cast<double>(mean.frames) << " | "
                << mean.control_after_end << " |\n";
    }
  }
}

TEST_CASE("A seed gives one schedule", "[simulation]") {
  const Outcome one = simulate(40, 7);
  const Outcome other = simulate(40, 7);
  CHECK(one.frames == other.frames);
  CHECK(one.control_messages == other.control_messages);
  CHECK(one.control_messages != simulate(40, 8).control_messages);
}

TEST_CASE("The simulation notices faults", "[simulation]") {
  CHECK_THAT(violation_by(Fault::RestsWithTimer), ContainsSubstring("says that the run has ended"));
  CHECK_THAT(violation_by(Fault::RestsWithOutside),
             ContainsSubstring("says that the run has ended"));
  CHECK_THAT(violation_by(Fault::UncountedCredits),
             ContainsSubstring("says that the run has ended"));
  CHECK_THAT(violation_by(Fault::UncountedFrame), ContainsSubstring("the end is missed"));
  CHECK_THAT(violation_by(Fault::AnswersAtWork), ContainsSubstring("says that the run has ended"));
  CHECK_THAT(violation_by(Fault::OneWave), ContainsSubstring("says that the run has ended"));
  CHECK_THAT(violation_by(Fault::ChangesAnywhere),
             ContainsSubstring("says that the run has ended"));
}

}  // namespace gxr::test
