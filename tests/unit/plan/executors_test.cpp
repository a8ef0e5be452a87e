#include "plan/executors.hpp"

#include <string>
#include <string_view>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "plan/plan.hpp"

namespace gxr {
namespace {

TEST_CASE("Each executor is found by its name, and its kind by the same") {
  for (const ExecutorEntry& entry : executors()) {
    const ExecutorEntry* const found = find_executor(entry.name);
    REQUIRE(found == &entry);
    CHECK(to_string(entry.kind) ==
          (entry.kind == ExecutorKind::Unknown ? std::string_view("unknown") : entry.name));
    CHECK(entry.mode.has_value() <= entry.makes_graphs);
  }
  CHECK(find_executor("greed") == nullptr);
  CHECK(find_executor("") == nullptr);
  CHECK(executor_names(true) == "greedy, threads, events");
  CHECK(executor_names(false) == "greedy, threads, events, graph, resident, auto");
}

TEST_CASE("A name that no executor has is an error, with a scheduler or without") {
  const Graph graph;
  const TypeCatalog catalog;
  CHECK_THROWS_AS(make_plan(graph, catalog, {"greed"}), Error);
  CHECK(make_plan(graph, catalog).regions.empty());
}

}  // namespace
}  // namespace gxr
