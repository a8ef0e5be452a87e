#include "commands/progress_text.hpp"

#include <string>

#include "catch.hpp"
#include "commands/tick_watch.hpp"
#include "document/utf8.hpp"

namespace gxr::commands {
namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000;

EntityStatus stage(const std::string& name, EntityState state, std::uint64_t messages) {
  EntityStatus made;
  made.entity = name;
  made.ticks = 5;
  made.state = state;
  QueueStatus queue;
  queue.messages = messages;
  queue.capacity = 2;
  queue.dropped = 3;
  made.queues = {queue};
  return made;
}

TEST_CASE("the line of progress fits, and leaves out the least important first") {
  ProgressFacts facts;
  facts.elapsed_ns = 12'300'000'000;
  facts.ticks = 15000;
  facts.rate = 1250;
  facts.dropped = 5;
  facts.slowest = "'sink', queue full 2/2";
  CHECK(progress_line(facts, 79) ==
        "12.3 s  1250 ticks/s  5 dropped  slowest: 'sink', queue full 2/2");
  CHECK(progress_line(facts, 40) == "12.3 s  1250 ticks/s  5 dropped");
  CHECK(progress_line(facts, 25) == "12.3 s  1250 ticks/s");
  CHECK(progress_line(facts, 6) == "12.3 s");
  CHECK(progress_line(facts, 5).empty());
  CHECK(progress_words(facts, true) ==
        "12.3 s, 15000 ticks, 1250 ticks/s, 5 dropped, slowest: 'sink', queue full 2/2");
  facts.slowest.clear();
  facts.dropped = 0;
  CHECK(progress_words(facts, false) == "15000 ticks, 1250 ticks/s");
}

TEST_CASE("a run whose length is known says how much of it is done") {
  RunStatus status;
  status.entities = {stage("camera", EntityState::Running, 0), stage("a", EntityState::Waiting, 0),
                     stage("lidar", EntityState::Running, 0)};
  CHECK(share_done(status) == 0);
  status.entities[0].most_ticks = 10;
  status.entities[2].most_ticks = 20;
  CHECK(share_done(status) == 0.25);
  ProgressFacts facts;
  facts.elapsed_ns = 12'300'000'000;
  facts.rate = 1250;
  facts.done = share_done(status);
  CHECK(progress_line(facts, 79) == "12.3 s  25%, 36.9 s left  1250 ticks/s");
  CHECK(progress_line(facts, 30) == "12.3 s  25%, 36.9 s left");
  CHECK(progress_words(facts, false) == "25%, 36.9 s left, 0 ticks, 1250 ticks/s");
  status.entities[0].ticks = 10;
  status.entities[2].ticks = 20;
  CHECK(share_done(status) == 1);
}

TEST_CASE("the slowest stage is the last one that works and has a full queue") {
  RunStatus status;
  status.entities = {stage("a", EntityState::Waiting, 0), stage("b", EntityState::Waiting, 2),
                     stage("c", EntityState::Running, 2), stage("d", EntityState::Waiting, 2)};
  CHECK(slowest_stage({}, status, 1) == "'c', queue full 2/2");
  CHECK(dropped_in(status) == 12);
  status.entities = {stage("a", EntityState::Waiting, 0), stage("b", EntityState::Running, 1)};
  CHECK(slowest_stage({}, status, 1) == "'b' runs");
  status.entities = {stage("a", EntityState::Waiting, 0)};
  CHECK(slowest_stage({}, status, 1).empty());
}

TEST_CASE("the slowest stage is the busiest one, where times are measured") {
  RunStatus before;
  before.entities = {stage("a", EntityState::Waiting, 0), stage("b", EntityState::Waiting, 2)};
  RunStatus now = before;
  CHECK(slowest_stage(before, now, 1) == "'b', queue full 2/2");
  now.entities[0].ticks += 128;
  now.entities[0].times.count = 2;  // one tick in 64
  now.entities[0].times.total_ns = 10'000'000;
  now.entities[1].ticks += 1;
  now.entities[1].times.count = 1;
  now.entities[1].times.total_ns = 100'000'000;
  CHECK(slowest_stage(before, now, 1) == "'a' busy 64%");
  CHECK(slowest_stage({}, now, 1) == "'b', queue full 2/2");
}

TEST_CASE("a tick hangs when it goes on for as long as one may take") {
  TickWatch watch(2 * kOneSecond);
  RunStatus status;
  status.entities = {stage("a", EntityState::Running, 0)};
  CHECK_FALSE(watch.hangs(status, 0));
  CHECK_FALSE(watch.hangs(status, kOneSecond));
  CHECK(watch.hangs(status, 2 * kOneSecond));
  CHECK(watch.hangs(status, 3 * kOneSecond));
  status.entities.front().ticks = 6;  // another tick
  CHECK_FALSE(watch.hangs(status, 4 * kOneSecond));
  CHECK_FALSE(watch.hangs(status, 5 * kOneSecond));
  status.entities.front().state = EntityState::Waiting;
  CHECK_FALSE(watch.hangs(status, 100 * kOneSecond));
  CHECK_FALSE(watch.hangs(status, 200 * kOneSecond));
  status.entities.front().state = EntityState::Running;
  CHECK_FALSE(watch.hangs(status, 300 * kOneSecond));
}

TEST_CASE("a scheduler's thread that is in a call hangs when no entity ticks") {
  TickWatch watch(2 * kOneSecond);
  RunStatus status;
  status.entities = {stage("a", EntityState::Unknown, 0), stage("b", EntityState::Unknown, 0)};
  CHECK_FALSE(watch.hangs(status, 0));
  status.entities.back().ticks += 1;
  CHECK_FALSE(watch.hangs(status, 2 * kOneSecond));
  CHECK(watch.hangs(status, 4 * kOneSecond));
  CHECK_FALSE(watch.hangs({}, 10 * kOneSecond));  // it ends
}

}  // namespace
}  // namespace gxr::commands
