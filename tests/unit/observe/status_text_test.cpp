#include "observe/status_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "observe/status_json.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

QueueStatus queue(std::string name, bool is_input, std::optional<std::uint64_t> messages,
                  std::optional<std::uint64_t> capacity, std::optional<std::uint64_t> dropped) {
  QueueStatus status;
  status.queue = std::move(name);
  status.is_input = is_input;
  status.messages = messages;
  status.capacity = capacity;
  status.dropped = dropped;
  return status;
}

EntityStatus entity(std::string name, std::uint64_t ticks, EntityState state,
                    std::vector<std::string> reasons, std::vector<QueueStatus> queues) {
  EntityStatus status;
  status.entity = std::move(name);
  status.ticks = ticks;
  status.state = state;
  status.reasons = std::move(reasons);
  status.queues = std::move(queues);
  return status;
}

ApplicationStatus example() {
  ApplicationStatus status;
  status.application = {4711, "tuning", {"apps/tuning.yaml", "more.yaml"}, 1234};
  status.phase = RunPhase::Running;
  status.elapsed_ns = 12'340'000'000;
  status.calls = {"tick of entity 'slow', component 'op' (test::Slow)"};
  status.run.executor = "one thread";
  status.run.entities = {
      entity("source", 3, EntityState::Finished, {}, {queue("source/out", false, 0, 1, 2)}),
      entity("sink", 4, EntityState::Waiting, {"waits for a", "waits for b"},
             {queue("sink/in", true, 1, 1, 0)}),
      entity("slow", 1, EntityState::Unknown, {}, {queue("slow/in", true, {}, {}, {})})};
  return status;
}

ApplicationStatus measured() {
  ApplicationStatus status = example();
  EntityStatus& sink = status.run.entities[1];
  sink.times = {4, 5000, 1000, 1500, 2000, 2000, 2100};
  sink.lateness = {3, 900'000, 200'000, 300'000, 400'000, 400'000, 400'100};
  sink.queues[0].peak = 2;
  sink.queues[0].waiting = {3, 9'000'000, 3'000'000, 3'100'000, 3'200'000, 3'200'000, 3'200'000};
  status.run.paths = {{"source", "sink", {3, 9, 3, 3, 3, 3, 3}}};
  status.run.ages_left_out = 7;
  status.run.allocators = {{"memory/pool", 1024, 3 << 20U}};
  status.run.graphs = {{"loop",
                        1,
                        true,
                        1234567,
                        64,
                        640'000,
                        {{"demosaic", 64, 320'000, 7'000}, {"rare", 0, 0, 0}}},
                       {"by host", 0, false, std::nullopt, 0, 0, {}}};
  return status;
}

TEST_CASE("a status for people", "[status]") {
  CHECK(render_status(example()) ==
        R"(application 'tuning', process 4711: running for 12.3 s by one thread, 3 entities, 8 ticks
runs tick of entity 'slow', component 'op' (test::Slow)

entity      ticks       tick       99 %  state
source          3          -          -  has finished
sink            4          -          -  waits for a
                                         waits for b
slow            1          -          -  not known: the scheduler's thread is in a call

queue      messages capacity     most  dropped       wait       99 %
source/out        0        1        -        2          -          -
sink/in           1        1        ?        0          -          -
slow/in           ?        ?        ?        ?          -          -
)");
}

TEST_CASE("what was measured, for people", "[status]") {
  CHECK(render_status(measured()) ==
        R"(application 'tuning', process 4711: running for 12.3 s by one thread, 3 entities, 8 ticks
runs tick of entity 'slow', component 'op' (test::Slow)

entity      ticks       tick       99 %  state
source          3          -          -  has finished
sink            4    1.00 us    2.00 us  waits for a
                                         waits for b
slow            1          -          -  not known: the scheduler's thread is in a call

queue      messages capacity     most  dropped       wait       99 %
source/out        0        1        -        2          -          -
sink/in           1        1        2        0    3.00 ms    3.20 ms
slow/in           ?        ?        ?        ?          -          -

lateness     median       99 %     99.9 %    longest
sink      200.00 us  400.00 us  400.00 us  400.10 us

age of data        median       99 %     99.9 %    longest
source -> sink       3 ns       3 ns       3 ns       3 ns
7 ages on further paths

CUDA graph  iterations  measured        mean     longest
loop           1234567        64    10.00 us           -
  demosaic                    64     5.00 us     7.00 us
  rare                         0           -           -
by host              -         0           -           -

allocator        in use        most
memory/pool    1.00 KiB    3.00 MiB
)");
  CHECK_THAT(render_entity(measured().run.entities[1]),
             ContainsSubstring("4 ticks measured: median 1.00 us, 90 % 1.50 us, 99 % 2.00 us, "
                               "99.9 % 2.00 us, longest 2.10 us\n3 ticks late: median 200.00 us"));
}

TEST_CASE("a status without entities", "[status]") {
  ApplicationStatus status = example();
  status.phase = RunPhase::Starting;
  status.calls.clear();
  status.run = {};
  CHECK(render_status(status) == "application 'tuning', process 4711: starting for 12.3 s\n");
}

TEST_CASE("one entity for people", "[status]") {
  const ApplicationStatus status = example();
  CHECK_THAT(render_entity(status.run.entities[0]),
             ContainsSubstring("entity 'source': 3 ticks, has finished\n"));
  CHECK_THAT(render_entity(status.run.entities[1]),
             ContainsSubstring("entity 'sink': 4 ticks\n  waits for a\n  waits for b\n"));
  CHECK_THAT(render_entity(status.run.entities[2]), ContainsSubstring("entity 'slow': 1 tick\n"));
}

TEST_CASE("the state of an entity in one line", "[status]") {
  const auto text = [](EntityState state) { return state_text(entity("a", 0, state, {}, {})); };
  CHECK(text(EntityState::NotStarted) == "has not started");
  CHECK(text(EntityState::Queued) == "is to be looked at");
  CHECK(text(EntityState::Running) == "is running");
  CHECK(text(EntityState::Ready) == "is ready");
  CHECK(text(EntityState::Waiting) == "waits");
  CHECK(text(EntityState::Finished) == "has finished");
  CHECK(text(EntityState::Unknown).empty());
  CHECK(state_text(example().run.entities[1]) == "waits for a; waits for b");
}

TEST_CASE("a status arrives as it was sent", "[status]") {
  const nlohmann::json sent = nlohmann::json::parse(to_json(measured()).dump());
  CHECK(sent["version"] == 1);
  CHECK(sent["entities"][1]["state"] == "waiting");
  CHECK(sent["entities"][2]["queues"][0]["messages"].is_null());
  const ApplicationStatus read = read_status(sent);
  CHECK(nlohmann::json::parse(to_json(read).dump()) == sent);
  CHECK(render_status(read) == render_status(measured()));
}

TEST_CASE("what is no status is refused", "[status]") {
  const nlohmann::json good = nlohmann::json::parse(to_json(measured()).dump());
  for (const char* key : {"version", "process", "state", "entities", "calls"}) {
    nlohmann::json bad = good;
    bad[key] = nlohmann::json::object({{"x", 1}});
    INFO(key);
    CHECK_THROWS_AS(read_status(bad), Error);
    bad.erase(key);
    CHECK_THROWS_AS(read_status(bad), Error);
  }
  nlohmann::json bad = good;
  bad["entities"][0]["state"] = "asleep";
  CHECK_THROWS_WITH(read_status(bad), ContainsSubstring("unknown state 'asleep'"));
  CHECK_THROWS_AS(read_status(nlohmann::json()), Error);
}

TEST_CASE("elapsed time is told in two units at most", "[status]") {
  constexpr std::int64_t kSecond = 1'000'000'000;
  CHECK(elapsed_text(0) == "0.0 s");
  CHECK(elapsed_text(59 * kSecond) == "59.0 s");
  CHECK(elapsed_text(250 * kSecond) == "4 min 10 s");
  CHECK(elapsed_text(11'100 * kSecond) == "3 h 5 min");
  CHECK(elapsed_text((2 * 86'400 + 3 * 3'600 + 59) * kSecond) == "2 d 3 h");
}

}  // namespace
}  // namespace gxr
