// Which applications are one CUDA graph although nobody asks for one.

#include <memory>
#include <string>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/expand.hpp"
#include "gxr/error.hpp"
#include "plan/plan.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// An operator that nothing feeds; `more`: further keys of its document.
std::string short_origin(const std::string& name, const std::string& more) {
  return "---\nname: " + name + "\noperator: test::Origin\n" + more;
}

std::string short_stage(const std::string& name, const std::string& input,
                        const std::string& more = {}) {
  return "---\nname: " + name + "\noperator: test::Operator\ninputs: {in: " + input + "}\n" + more;
}

const std::string kCount = "count: 10\n";
const std::string kHandler =
    "terms:\n- {name: handler, type: test::LooksForInput, parameters: {source: b/operator}}\n";

std::string short_end(const std::string& name, const std::string& input,
                      const std::string& more = {}) {
  return "---\nname: " + name + "\noperator: test::End\ninputs: {in: " + input + "}\n" + more;
}

/// a -> b -> c, all capturable.
std::string short_chain(const std::string& of_origin = kCount, const std::string& of_end = {}) {
  return short_origin("a", of_origin) + short_stage("b", "a") + short_end("c", "b", of_end);
}

struct ShortPlan {
  std::unique_ptr<test::Application> app;
  Plan plan;
};

ShortPlan short_plan(const std::string& yaml, const PlanOptions& options = {}) {
  auto app = resolve_text(yaml);
  INFO(app->text());
  REQUIRE(app->diagnostics.errors() == 0);
  Plan plan = make_plan(app->graph, app->catalog, options);
  return {std::move(app), std::move(plan)};
}

void check_chosen(const std::string& yaml) {
  const ShortPlan found = short_plan(yaml);
  REQUIRE(found.plan.default_graph);
  CHECK(found.plan.default_graph->obstacle.empty());
  CHECK(found.plan.default_graph->chosen);
}

void check_obstacle(const std::string& yaml, const std::string& text) {
  const ShortPlan found = short_plan(yaml);
  REQUIRE(found.plan.default_graph);
  CHECK_FALSE(found.plan.default_graph->chosen);
  CHECK_THAT(found.plan.default_graph->obstacle, ContainsSubstring(text));
  CHECK(found.plan.regions.size() == 1);
  CHECK(found.plan.placements.empty());
}

/// As before there were such graphs.
void check_untouched(const std::string& yaml, const PlanOptions& options = {}) {
  const ShortPlan found = short_plan(yaml, options);
  CHECK_FALSE(found.plan.default_graph);
  CHECK(found.plan.regions.size() == 1);
  CHECK(found.plan.placements.empty());
}

}  // namespace

TEST_CASE("an application of graph operators in the short form is one loop on the GPU") {
  const ShortPlan found = short_plan(short_chain());
  REQUIRE(found.plan.default_graph);
  CHECK(found.plan.default_graph->chosen);
  REQUIRE(found.plan.regions.size() == 2);
  CHECK(found.plan.regions[0].body.items.empty());
  CHECK(found.plan.regions[0].executor == ExecutorKind::Greedy);
  const Region& region = found.plan.regions[1];
  CHECK(region.executor == ExecutorKind::Resident);
  CHECK(region.declared_by == kNone);
  REQUIRE(region.graph);
  CHECK(region.graph->steps.size() == 3);
  CHECK(region.graph->inputs.empty());
  CHECK(region.graph->outputs.empty());
  CHECK(found.plan.bridges.empty());
  CHECK(found.plan.placements.size() == 3);
  CHECK_THAT(render_plan(found.plan), ContainsSubstring("chosen because"));
}

TEST_CASE("a broadcast in the short form is an edge of such a graph, and pools stand beside it") {
  check_chosen(short_origin("a", kCount) +
               "---\nname: both\noperator: test::Broadcast\ninputs: {source: a}\n" +
               short_end("b", "both/left") + short_end("c", "both/right") +
               "---\nname: memory\ncomponents:\n- {name: pool, type: gxr::UnboundedAllocator}\n");
}

TEST_CASE("an application in GXF's form never becomes a graph by itself") {
  const ShortPlan found = short_plan(short_chain());
  check_untouched(expand(found.app->graph, found.app->document));
  check_untouched(short_origin("a", kCount) + operator_stage("b") + connect("a/out", "b/in") +
                  short_end("c", "b/out"));
}

TEST_CASE("the short form of an application that a scheduler keeps on the CPU keeps it there") {
  const ShortPlan found = short_plan(short_chain());
  const auto gxf = resolve_text(expand(found.app->graph, found.app->document));
  const std::string text = expand_short(gxf->graph, gxf->document, gxf->catalog);
  CHECK_THAT(text, ContainsSubstring("operator: test::Origin"));
  CHECK_THAT(text, ContainsSubstring("gxr::GreedyScheduler"));
  check_untouched(text);
  const std::string same = expand_short(found.app->graph, found.app->document, found.app->catalog);
  CHECK_THAT(same, !ContainsSubstring("gxr::GreedyScheduler"));
  check_chosen(same);
}

TEST_CASE("a scheduler, a clock, an executor or an operator of the CPU leaves no choice") {
  check_untouched(short_chain() + kScheduler);
  check_untouched(short_chain() + "---\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n");
  check_untouched(short_chain() + "---\nname: sink\noperator: test::Rx\ninputs: {signal: b}\n");
  for (const char* const executor : {"greedy", "threads", "events"}) {
    check_untouched(short_chain(), {executor});
  }
  PlanOptions spread;
  spread.is_spread = true;
  check_untouched(short_chain(), spread);
  CHECK_FALSE(short_plan(short_chain(), {"auto"}).plan.default_graph);
}

TEST_CASE("settings of the scheduler that gxr makes leave the choice") {
  check_chosen(short_chain() +
               "---\nname: gxr.scheduler\ncomponents:\n- {name: scheduler, parameters: {realtime: "
               "true}}\n");
}

TEST_CASE("a source has to end or to be found by a data-ready handler") {
  check_obstacle(short_chain({}), "'a' has neither a 'count' nor");
  check_obstacle(short_chain("count: -1\n"), "'a' has neither a 'count' nor");
  check_chosen(short_chain(kHandler));
  check_obstacle(short_chain(kHandler + "- {name: polling, type: test::Polling}\n"),
                 "'test::Polling' of 'a' may end its input");
}

TEST_CASE("what a graph cannot do keeps the application on the CPU, and the plan names it") {
  check_obstacle(short_chain(kCount + "period: 10ms\n"),
                 "'a' is not in it: nothing in a graph can wait for its");
  check_obstacle(short_chain() + short_origin("d", kCount) + short_end("e", "d"),
                 "its operators are 2 sets that no connection joins");
  check_obstacle(short_chain() + short_end("d", "[a, b]"),
                 "'d' is not in it: 2 transmitters send to");
  check_obstacle(short_chain(kCount, "on_failure: {restart: {}}\n"),
                 "'on_failure' makes the operator of 'c' anew");
  check_obstacle(short_chain(kCount, "deadline: {tick: 5ms}\n"),
                 "the deadline of 'c' is not measured");
  CHECK_THAT(render_plan(short_plan(short_chain({})).plan),
             ContainsSubstring("why the application is not one CUDA graph by default"));
}

TEST_CASE("such a graph is left for the CPU, which runs all the application") {
  ShortPlan found = short_plan(short_chain());
  Diagnostics diagnostics;
  leave_default_graph(found.plan, "no GPU", diagnostics);
  CHECK(diagnostics.all().empty());
  REQUIRE(found.plan.regions.size() == 1);
  CHECK(found.plan.regions[0].body.items.size() == 3);
  CHECK(found.plan.regions[0].executor == ExecutorKind::Greedy);
  CHECK_FALSE(found.plan.regions[0].chosen);
  REQUIRE(found.plan.default_graph);
  CHECK(found.plan.default_graph->obstacle == "no GPU");
  ShortPlan other = short_plan(short_chain(), {"auto"});
  leave_default_graph(other.plan, "no GPU", diagnostics);
  CHECK(other.plan.regions.size() == 2);
}
