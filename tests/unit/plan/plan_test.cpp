#include "plan/plan.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "graph/application.hpp"
#include "gxr/error.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::unique_ptr<Application> ping() {
  return resolve_given({{tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") + kScheduler},
                        {"rx/signal/capacity=4"},
                        false});
}

std::vector<std::string> names(const Application& app, const std::vector<EntityId>& ids) {
  std::vector<std::string> result;
  for (const EntityId id : ids) {
    result.push_back(app.graph.entities[id].name);
  }
  return result;
}

}  // namespace

TEST_CASE("a plan has one greedy region with the entities that work") {
  const auto app = ping();
  const Plan plan = make_plan(app->graph, app->catalog);
  REQUIRE(plan.regions.size() == 1);
  CHECK(plan.regions[0].executor == ExecutorKind::Greedy);
  CHECK(app->graph.components[plan.regions[0].declared_by].type->name == "gxr::GreedyScheduler");
  REQUIRE(plan.regions[0].body.items.size() == 2);
  CHECK(std::get<PlanStep>(plan.regions[0].body.items[0]).entity == 0);
  CHECK(std::get<PlanStep>(plan.regions[0].body.items[1]).entity == 1);
  REQUIRE(plan.buffers.size() == 1);
  CHECK(plan.buffers[0].capacity == 4);
  CHECK(plan.bridges.empty());
}

TEST_CASE("entities are activated by class, then in order") {
  const auto app = ping();
  const Plan plan = make_plan(app->graph, app->catalog);
  CHECK(names(*app, plan.activation_order) ==
        std::vector<std::string>{"scheduler", "__entity_2", "tx", "rx"});
}

TEST_CASE("a link that is declared twice has one buffer") {
  const auto app = resolve_text(tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") +
                                connect("tx/signal", "rx/signal") + kScheduler);
  CHECK(make_plan(app->graph, app->catalog).buffers.size() == 1);
}

TEST_CASE("executors that nobody knows are refused by name") {
  const auto app = ping();
  try {
    make_plan(app->graph, app->catalog, {"fastest"});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::InvalidArgument);
    CHECK_THAT(error.message(), ContainsSubstring("'fastest'") && ContainsSubstring("greedy"));
  }
}

TEST_CASE("without capturable operators, the scheduler runs all whatever graphs are asked for") {
  const auto app = ping();
  const auto executor = GENERATE(as<std::string>{}, "graph", "resident", "auto");
  const Plan plan = make_plan(app->graph, app->catalog, {executor});
  REQUIRE(plan.regions.size() == 1);
  CHECK(plan.regions[0].executor == ExecutorKind::Greedy);
  CHECK(plan.regions[0].body.items.size() == 2);
  CHECK(plan.placements.size() == 2);
}

TEST_CASE("the scheduler chooses the executor") {
  const auto [scheduler, kind] =
      GENERATE(table<std::string, ExecutorKind>({{"Greedy", ExecutorKind::Greedy},
                                                 {"MultiThread", ExecutorKind::Threads},
                                                 {"EventBased", ExecutorKind::Events},
                                                 {"Epoch", ExecutorKind::Events}}));
  const auto app = resolve_text(
      "---\nname: scheduler\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n"
      "- {type: gxr::" +
      scheduler + "Scheduler, parameters: {clock: clock}}\n");
  INFO(scheduler);
  CHECK(app->diagnostics.errors() == 0);
  CHECK(make_plan(app->graph, app->catalog).regions[0].executor == kind);
}

TEST_CASE("--executor greedy beats another scheduler in the file") {
  const auto app = resolve_text(tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") +
                                "---\ncomponents:\n- type: test::OtherScheduler\n");
  CHECK_THROWS_AS(make_plan(app->graph, app->catalog), Error);
  CHECK(make_plan(app->graph, app->catalog, {"greedy"}).regions[0].executor ==
        ExecutorKind::Greedy);
}

TEST_CASE("a plan as text is at most 80 columns wide") {
  const std::string longer(50, 'x');
  const auto app = resolve_text(
      tx("source_" + longer) + rx("sink_" + longer) +
      connect("source_" + longer + "/signal", "sink_" + longer + "/signal") + kScheduler);
  const std::string text = render_plan(make_plan(app->graph, app->catalog));
  INFO(text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("a plan as text shows order, terms and buffers") {
  const auto app = ping();
  CHECK(render_plan(make_plan(app->graph, app->catalog)) ==
        "1 region, 2 entities, 1 buffer, 0 bridges\n"
        "\n"
        "region main, executor greedy\n"
        "  declared by scheduler (gxr::GreedyScheduler)\n"
        "  1 tx: test::Tx\n"
        "      when up to 10 ticks, room for 1 message behind 'signal'\n"
        "      signal -> rx/signal (holds 4)\n"
        "  2 rx: test::Rx\n"
        "      when 1 message on 'signal'\n");
}

TEST_CASE("a plan as JSON says the same") {
  const auto app = ping();
  const auto json = nlohmann::json::parse(render_plan_json(make_plan(app->graph, app->catalog)));
  CHECK(json["regions"][0]["executor"] == "greedy");
  CHECK(json["regions"][0]["order"][0]["entity"] == "tx");
  CHECK(json["buffers"][0]["capacity"] == 4);
  CHECK(json["activation_order"].size() == 4);
}
