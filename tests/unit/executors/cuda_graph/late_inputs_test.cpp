#include "executors/cuda_graph/late_inputs.hpp"

#include "catch.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;

/// Two inputs that must not be late by 10 ms, at a time that only this sets.
class Watched {
 public:
  explicit Watched(MissingData policy) : late_(10ms, policy) {}

  /// As ticks do: until nothing changes any more.
  bool update(std::chrono::milliseconds time, std::size_t with, bool has_room = true) {
    const LateInputs::Seen seen{has_room, with, 2};
    const bool late = late_.is_late(seen, begin_ + time);
    for (int updates = 0; late_.would_change(seen, begin_ + time); ++updates) {
      REQUIRE(updates < 2);
      late_.update(seen, begin_ + time);
    }
    CHECK(late_.is_late(seen, begin_ + time) == late);
    return late;
  }
  [[nodiscard]] bool would_change(std::chrono::milliseconds time, std::size_t with) const {
    return late_.would_change({true, with, 2}, begin_ + time);
  }
  void given(std::chrono::milliseconds time) { late_.given(begin_ + time); }
  [[nodiscard]] bool is_due(std::chrono::milliseconds time) const {
    return late_.due_at() == begin_ + time;
  }
  [[nodiscard]] bool is_never_due() const {
    return late_.due_at() == LateInputs::Clock::time_point::max();
  }
  [[nodiscard]] std::uint64_t times() const { return late_.times(); }

 private:
  LateInputs::Clock::time_point begin_{1h};
  LateInputs late_;
};

}  // namespace

TEST_CASE("An input is late some time after the first of the others", "[late_inputs]") {
  for (const MissingData policy : {MissingData::Skip, MissingData::Fault}) {
    Watched inputs(policy);
    CHECK_FALSE(inputs.update(0ms, 0));
    CHECK_FALSE(inputs.update(7ms, 1));
    CHECK(inputs.is_due(17ms));
    CHECK_FALSE(inputs.update(16ms, 1));
    CHECK(inputs.update(17ms, 1));
    CHECK(inputs.update(18ms, 1));  // until something is done about it
    CHECK(inputs.times() == 1);
    inputs.given(18ms);
    CHECK_FALSE(inputs.update(19ms, 1));
    CHECK(inputs.update(29ms, 1));
    CHECK(inputs.times() == 2);
  }
}

TEST_CASE("Nothing is late when all have come, or there is no room", "[late_inputs]") {
  Watched inputs(MissingData::Fault);
  CHECK_FALSE(inputs.update(0ms, 1));
  CHECK_FALSE(inputs.update(20ms, 2));
  CHECK(inputs.is_never_due());
  CHECK_FALSE(inputs.update(40ms, 1, false));
  CHECK_FALSE(inputs.update(60ms, 1));  // the time begins now
  CHECK(inputs.is_due(70ms));
  CHECK(inputs.update(70ms, 1));
}

TEST_CASE("Without any message the time runs from the last ones", "[late_inputs]") {
  SECTION("from the begin, for a fault") {
    Watched inputs(MissingData::Fault);
    CHECK_FALSE(inputs.update(0ms, 0));
    CHECK(inputs.update(10ms, 0));
  }
  SECTION("not before there is something to hold") {
    Watched inputs(MissingData::Hold);
    CHECK_FALSE(inputs.update(0ms, 0));
    CHECK_FALSE(inputs.update(20ms, 1));
    CHECK(inputs.is_never_due());
    CHECK_FALSE(inputs.update(50ms, 1));
    inputs.given(60ms);
    CHECK_FALSE(inputs.update(61ms, 1));
    CHECK(inputs.update(71ms, 1));
    CHECK(inputs.times() == 1);
  }
  SECTION("never, where nothing is new or to be skipped") {
    for (const MissingData policy : {MissingData::Skip, MissingData::Hold}) {
      Watched inputs(policy);
      inputs.given(0ms);
      CHECK_FALSE(inputs.update(50ms, 0));
      CHECK(inputs.is_never_due());
    }
  }
}

TEST_CASE("Who waits counts each iteration once", "[late_inputs]") {
  Watched inputs(MissingData::Wait);
  CHECK_FALSE(inputs.update(0ms, 0));
  CHECK_FALSE(inputs.update(10ms, 0));
  CHECK(inputs.times() == 1);
  CHECK_FALSE(inputs.update(50ms, 0));
  CHECK(inputs.is_never_due());
  CHECK(inputs.times() == 1);
  inputs.given(60ms);
  CHECK_FALSE(inputs.update(70ms, 0));
  CHECK(inputs.times() == 2);
}

TEST_CASE("Something changes when a message comes, and when the time is over", "[late_inputs]") {
  Watched inputs(MissingData::Skip);
  CHECK_FALSE(inputs.would_change(0ms, 0));
  CHECK(inputs.would_change(5ms, 1));
  CHECK_FALSE(inputs.update(5ms, 1));
  CHECK_FALSE(inputs.would_change(14ms, 1));
  CHECK(inputs.would_change(15ms, 1));
  CHECK(inputs.would_change(15ms, 1));  // asking changes nothing
  CHECK(inputs.times() == 0);
  CHECK(inputs.update(15ms, 1));
  CHECK_FALSE(inputs.would_change(16ms, 1));
  CHECK(inputs.would_change(16ms, 2));
}
