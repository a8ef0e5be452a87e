#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;
using Code = DiagnosticCode;

TEST_CASE("a complete application has no diagnostics") {
  const auto app =
      resolve_text(tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") + kScheduler);
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
  CHECK(app->graph.entities.size() == 4);
  CHECK(app->graph.components.size() == 10);
  REQUIRE(app->graph.links.size() == 1);
  CHECK(app->graph.links[0].transmitter == app->component("tx", "signal").id);
  CHECK(app->graph.links[0].receiver == app->component("rx", "signal").id);
  CHECK(app->graph.entities[2].name == "__entity_2");
  CHECK_FALSE(app->graph.entities[2].named);
}

TEST_CASE("documents of one name make one entity") {
  const auto app = resolve_text(
      "name: a\ncomponents:\n- name: x\n  type: gxr::RealtimeClock\n---\nname: b\ncomponents: "
      "[]\n---\n"
      "name: a\ncomponents:\n- name: y\n  type: gxr::RealtimeClock\n");
  REQUIRE(app->graph.entities.size() == 2);
  CHECK(app->graph.entities[0].components == std::vector<ComponentId>{0, 1});
  const Diagnostic& merged = app->only(Code::EntityMerged);
  CHECK(merged.severity == Severity::Warning);
  CHECK(merged.where.line == 9);
  REQUIRE(merged.related.size() == 1);
  CHECK(merged.related[0].where.line == 1);
}

TEST_CASE("documents without a name are entities of their own") {
  const auto app = resolve_text("components: []\n---\ncomponents:\n");
  CHECK(app->graph.entities.size() == 2);
}

TEST_CASE("start_order puts its entities first") {
  const auto app = resolve_text(
      "start_order: [c, a]\n---\nname: a\ncomponents: []\n---\ncomponents: []\n---\nname: "
      "c\ncomponents: []\n");
  REQUIRE(app->graph.entities.size() == 3);
  CHECK(app->graph.entities[0].name == "c");
  CHECK(app->graph.entities[1].name == "a");
  CHECK(app->count(Code::StartOrder) == 0);
}

TEST_CASE("start_order reports unknown, repeated and second lists") {
  const auto app = resolve_text(
      "start_order: [camra, a, a]\n---\nname: a\ncomponents: []\n---\nname: camera\ncomponents: "
      "[]\n---\n"
      "start_order: [a]\n");
  REQUIRE(app->count(Code::StartOrder) == 4);  // the list is too long as well
  CHECK_THAT(app->text(), ContainsSubstring("did you mean 'camera'?"));
}

TEST_CASE("an entry without a type sets parameters of a component") {
  const auto app = resolve_given(
      {{tx("tx"), "name: tx\ncomponents:\n- name: count\n  parameters: {count: 7}\n"}, {}, false});
  CHECK(app->component("tx", "count").find("count")->value->text() == "7");
  CHECK(app->count(Code::ParameterTwice) == 0);
  CHECK(app->count(Code::EntityMerged) == 0);
}

TEST_CASE("setting a parameter twice in one file is reported") {
  const std::string text =
      tx("tx") + "---\nname: tx\ncomponents:\n- name: count\n  parameters: {count: 7}\n";
  const auto app = resolve_text(text);
  CHECK(app->component("tx", "count").find("count")->value->text() == "7");
  CHECK(app->only(Code::ParameterTwice).related.size() == 1);

  const auto gxf = resolve_given({{text}, {}, true});
  CHECK(gxf->component("tx", "count").find("count")->value->text() == "10");
  CHECK(gxf->only(Code::ParameterTwice).severity == Severity::Warning);
}

TEST_CASE("an entry without a type needs a component to set") {
  const auto misspelt = resolve_text(tx("tx") + "---\nname: tx\ncomponents:\n- name: cuont\n");
  CHECK_THAT(misspelt->only(Code::ComponentNotFound).hint, ContainsSubstring("'count'"));
  CHECK(resolve_text("name: a\ncomponents:\n- name: x\n")->count(Code::ComponentWithoutType) == 1);
  CHECK(
      resolve_text("name: a\ncomponents:\n- parameters: {}\n")->count(Code::ComponentWithoutType) ==
      1);
  const auto ambiguous = resolve_text(
      "name: a\ncomponents:\n- name: x\n  type: gxr::RealtimeClock\n- name: x\n  type: "
      "gxr::RealtimeClock\n"
      "- name: x\n  parameters: {}\n");
  CHECK(ambiguous->only(Code::ComponentAmbiguous).related.size() == 2);
}

TEST_CASE("documents of the wrong shape are reported, each at its place") {
  CHECK(resolve_text("components: 3\n")->count(Code::ComponentsNotList) == 1);
  CHECK(resolve_text("components:\n- 3\n")->count(Code::ComponentNotMap) == 1);
  CHECK(resolve_text("components:\n- type: gxr::RealtimeClock\n  parameters:\n")
            ->count(Code::ParametersNotMap) == 1);
  CHECK(resolve_text("components:\n- type: gxr::RealtimeClock\n  parameters: [1]\n")
            ->count(Code::ParametersNotMap) == 1);
  CHECK(resolve_text("components:\n- type: [a]\n")->count(Code::ComponentWithoutType) == 1);
  CHECK(resolve_text("name: [a]\ncomponents: []\n")->count(Code::InvalidName) == 1);
  CHECK(resolve_text("name: __x\ncomponents: []\n")->count(Code::InvalidName) == 1);
  CHECK(resolve_text("name: a/b\ncomponents: []\n")->count(Code::NameWithSlash) == 1);
}

TEST_CASE("keys are checked, foreign ones are not") {
  const auto app = resolve_text("name: a\ncomponentz: []\nui_property: {x: 1}\ndependencies: []\n");
  CHECK_THAT(app->only(Code::UnknownDocumentKey).hint, ContainsSubstring("'components'"));
  const auto component =
      resolve_text("components:\n- type: gxr::RealtimeClock\n  paramters: {}\n  ui_property: 3\n");
  CHECK_THAT(component->only(Code::UnknownComponentKey).hint, ContainsSubstring("'parameters'"));
}

TEST_CASE("what belongs to subgraphs is checked where nothing includes it") {
  CHECK(resolve_text("interfaces:\n- {name: x, target: a/b}\n")
            ->count(Code::InterfaceWithoutParent) == 1);
  CHECK(resolve_text("interfaces:\n")->count(Code::InterfaceWithoutParent) == 0);
  CHECK(resolve_text("prerequisites: {}\n")->count(Code::PrerequisiteMissing) == 0);
  CHECK(resolve_text("prerequisites:\n- name: x\n")->count(Code::PrerequisiteMissing) == 1);
  CHECK(resolve_text("name: a\ncomponents:\n- type: nvidia::gxf::Subgraph\n")
            ->count(Code::ParameterMissing) == 1);
  CHECK(resolve_text("components:\n- type: gxr::Subgraph\n")->count(Code::InvalidName) == 1);
}

TEST_CASE("entity groups list entities, the last group counts") {
  const std::string entities = "name: a\ncomponents: []\n---\nname: b\ncomponents: []\n---\n";
  const auto app = resolve_text(
      entities + "EntityGroups:\n- {name: one, target: [a, b]}\n- {name: two, target: [a]}\n");
  REQUIRE(app->graph.groups.size() == 3);
  CHECK(app->graph.groups[0].name == kDefaultGroup);
  CHECK(app->graph.groups[0].members.empty());
  CHECK(app->graph.groups[1].members == std::vector<EntityId>{1});
  CHECK(app->graph.groups[2].members == std::vector<EntityId>{0});
  CHECK(app->graph.entities[0].group == 2);
  CHECK(app->graph.entities[1].group == 1);
  CHECK(app->count(Code::EntityGroup) == 0);

  const auto pools = resolve_text(
      "name: a\ncomponents:\n- {name: pool, type: gxr::ThreadPool}\n---\n"
      "name: b\ncomponents:\n- {name: pool, type: gxr::ThreadPool}\n---\n"
      "EntityGroups:\n- {name: one, target: [b]}\n");
  CHECK(pools->graph.groups[0].resources == std::vector{pools->component("a", "pool").id});
  CHECK(pools->graph.groups[1].resources == std::vector{pools->component("b", "pool").id});

  CHECK(resolve_text(entities + "EntityGroups:\n- {name: one, target: [c, a, a]}\n")
            ->count(Code::EntityGroup) == 2);
  CHECK(resolve_text(entities + "EntityGroups: {}\n")->count(Code::EntityGroup) == 1);
  CHECK(resolve_text(entities + "EntityGroups: [one]\n")->count(Code::EntityGroup) == 1);
}
