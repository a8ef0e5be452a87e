#include "rank_run/rank_trails.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "graph/graph.hpp"
#include "runtime/instance.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/message_pool.hpp"

namespace gxr {
namespace {

/// The part of a rank, of which only the names count.
std::vector<LiveEntity> part_of(const Graph& graph, const std::vector<std::string>& names) {
  std::vector<LiveEntity> part;
  for (const std::string& name : names) {
    part.emplace_back().graph = graph.find_entity(name);
  }
  return part;
}

void set_trail(const Message& message, std::uint32_t source, std::uint64_t acquired) {
  EngineAccess::block(message)->source = source;
  EngineAccess::block(message)->trail.acquired = acquired;
}

}  // namespace

TEST_CASE("a message keeps its source and its age on the way to another rank", "[rank_run]") {
  Graph whole;
  for (const char* name : {"a", "b", "c"}) {
    whole.add_entity(name, {});
  }
  Graph ends;
  for (const char* name : {"a", "b", "c", "gxr.receive.0.0.c.in"}) {
    ends.add_entity(name, {});
  }
  const std::vector<bool> works(3, true);
  const std::vector<LiveEntity> first = part_of(ends, {"b", "a"});
  const std::vector<LiveEntity> second = part_of(ends, {"gxr.receive.0.0.c.in", "c"});
  RankTrails here(whole, works, true);
  RankTrails there(whole, works, true);
  CHECK(here.other_sources(first) == std::vector<std::string>{"c"});
  CHECK(there.other_sources(second) == std::vector<std::string>{"a", "b"});

  MessagePool pool;
  const Message sent = pool.make();
  const Message received = pool.make();
  CHECK(here.of(sent).source == 0);  // it is not measured
  there.put(received, here.of(sent));
  CHECK(EngineAccess::block(received)->source == 0);

  set_trail(sent, 1, 77);  // of "b"
  there.put(received, here.of(sent));
  CHECK(EngineAccess::block(received)->source == 4);  // behind two of its own
  CHECK(EngineAccess::block(received)->trail.acquired == 77);

  SECTION("also back to where it comes from") {
    const Message back = pool.make();
    here.put(back, there.of(received));
    CHECK(EngineAccess::block(back)->source == 1);
  }
  SECTION("not what an entity begins that stands for another rank") {
    set_trail(received, 1, 5);
    CHECK(there.of(received).source == 0);
  }
  SECTION("not what makes no sense") {
    const Message back = pool.make();
    here.put(back, {99, 0, 5});
    CHECK(EngineAccess::block(back)->source == 0);
  }
  SECTION("with another clock, its age begins anew") {
    RankTrails elsewhere(whole, works, false);
    static_cast<void>(elsewhere.other_sources(second));
    const Message other = pool.make();
    elsewhere.put(other, here.of(sent));
    CHECK(EngineAccess::block(other)->source == 4);
    CHECK(EngineAccess::block(other)->trail.acquired > 77);
    const Message back = pool.make();
    here.put(back, elsewhere.of(other));
    CHECK(EngineAccess::block(back)->source == 1);
    CHECK(EngineAccess::block(back)->trail.acquired >= EngineAccess::block(other)->trail.acquired);
  }
}

TEST_CASE("no data comes from entities of other ranks that have no codelets", "[rank_run]") {
  Graph whole;
  for (const char* name : {"a", "queue", "b"}) {
    whole.add_entity(name, {});
  }
  RankTrails here(whole, {true, false, true}, true);
  CHECK(here.other_sources(part_of(whole, {"a"})) == std::vector<std::string>{"b"});
  MessagePool pool;
  const Message received = pool.make();
  here.put(received, {2, 1, 5});  // of "queue"
  CHECK(EngineAccess::block(received)->source == 0);
  here.put(received, {3, 1, 5});
  CHECK(EngineAccess::block(received)->source == 2);
}

TEST_CASE("a deadline for the age of data on any rank counts on all", "[rank_run]") {
  Graph whole;
  whole.add_entity("a", {});
  CHECK_FALSE(RankTrails(whole, {true}, true).checks_ages());
  whole.add_entity("b", {}).deadline.emplace().ages.push_back({nullptr, kNone, 5});
  CHECK(RankTrails(whole, {true, true}, true).checks_ages());
}

}  // namespace gxr
