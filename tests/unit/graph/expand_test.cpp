#include "graph/expand.hpp"

#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;

TEST_CASE("an expanded application loads to the same graph") {
  const auto app = resolve_given(
      {{tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") +
            "---\nname: 'a b: c'\ncomponents:\n- name: x\n  type: test::Everything\n  parameters:\n"
            "    text: \"yes: # no\"\n    list: [1, 2]\n    map:\n      a: 1.0\n    any: {k: [1, "
            "'two']}\n"
            "---\nEntityGroups:\n- {name: g, target: [tx, 'a b: c']}\n---\nstart_order: [rx]\n" +
            kScheduler,
        "name: tx\ncomponents:\n- name: count\n  parameters: {count: 3}\n"},
       {"tx/signal/capacity=4"},
       false});
  INFO(app->text());
  REQUIRE(app->diagnostics.errors() == 0);
  const std::string text = expand(app->graph, app->document);
  INFO(text);
  const auto again = resolve_text(text);
  INFO(again->text());
  CHECK(again->diagnostics.all().empty());
  REQUIRE(again->graph.entities.size() == app->graph.entities.size());
  for (std::size_t i = 0; i < app->graph.components.size(); ++i) {
    const GraphComponent& a = app->graph.components[i];
    const GraphComponent& b = again->graph.components[i];
    CHECK(a.name == b.name);
    CHECK(a.type == app->catalog.find(b.type_name));
    REQUIRE(a.parameters.size() == b.parameters.size());
    for (std::size_t p = 0; p < a.parameters.size(); ++p) {
      CHECK(a.parameters[p].key == b.parameters[p].key);
      CHECK(a.parameters[p].value->to_yaml() == b.parameters[p].value->to_yaml());
    }
  }
  CHECK(again->graph.entities[0].name == "rx");
  CHECK(again->graph.groups[0].members == app->graph.groups[0].members);
  CHECK(expand(again->graph, again->document) == text);
}

TEST_CASE("an expanded application is written in block style") {
  const auto app = resolve_text(
      "name: s\ncomponents:\n- {name: x, type: test::Everything, parameters: {list: [1]}}\n" +
      kScheduler);
  CHECK(expand(app->graph, app->document) ==
        "%YAML 1.2\n---\nname: s\ncomponents:\n- name: x\n  type: test::Everything\n  "
        "parameters:\n    list: [1]\n"
        "---\nname: scheduler\ncomponents:\n- name: clock\n  type: gxr::RealtimeClock\n"
        "- type: gxr::GreedyScheduler\n  parameters:\n    clock: clock\n");
}
