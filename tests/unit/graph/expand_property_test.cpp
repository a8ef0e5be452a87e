// What expand prints loads again, whatever stands in the application, and means the same.

#include <cstddef>
#include <memory>
#include <string>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/expand.hpp"
#include "graph/random_yaml.hpp"

using namespace gxr;
using namespace gxr::test;

namespace {

/// Kind, tag and text of all nodes.
std::string meaning(const Value& value) {
  std::string out = std::string(value.tag()) + "|";
  if (value.is_null()) {
    return out + "null";
  }
  if (value.is_scalar()) {
    return out + "<" + std::string(value.text()) + ">";
  }
  out += value.is_map() ? "{" : "[";
  for (std::size_t i = 0; i < value.size(); ++i) {
    out += value.is_map() ? meaning(value.key(i)) + ":" + meaning(value.value(i))
                          : meaning(value.at(i));
    out += ",";
  }
  return out + (value.is_map() ? "}" : "]");
}

/// Names, types and values of all components.
std::string meaning(const Graph& graph) {
  std::string out;
  for (const GraphEntity& entity : graph.entities) {
    out += "entity <" + entity.name + ">\n";
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph.components[id];
      out += " component <" + component.name + "> " + std::string(component.type_name) + "\n";
      for (const ParameterAssignment& given : component.parameters) {
        out += "  <" + std::string(given.key) + "> " + meaning(*given.value) + "\n";
      }
    }
  }
  return out;
}

std::string random_application(RandomYaml& yaml) {
  std::string text;
  for (unsigned entities = 1 + yaml.below(3); entities > 0; --entities) {
    yaml.begin_document();
    text += "---\nname: " + yaml.scalar(yaml.name()) + "\ncomponents:\n";
    for (unsigned components = 1 + yaml.below(2); components > 0; --components) {
      text += "- name: " + yaml.scalar(yaml.name()) + "\n  type: test::Everything\n  parameters:\n";
      text += "    any: " + yaml.value(4) + "\n";
      text += "    text: " + yaml.value(2) + "\n";
      text += "    map: {? " + yaml.scalar(yaml.name()) + " : 1.5}\n";
    }
  }
  return text + "---\nname: e\ncomponents:\n- name: c\n  type: test::Everything\n";
}

void check_round_trip(const Application& app) {
  INFO(app.text());
  REQUIRE(app.diagnostics.errors() == 0);
  const std::string text = expand(app.graph, app.document);
  INFO(text);
  const std::unique_ptr<Application> again = resolve_text(text);
  INFO(again->text());
  REQUIRE(again->diagnostics.errors() == 0);
  REQUIRE(meaning(again->graph) == meaning(app.graph));
  REQUIRE(expand(again->graph, again->document) == text);
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

}  // namespace

TEST_CASE("what expand prints of random applications loads again and means the same") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomYaml yaml(seed);
    const std::string app = random_application(yaml);
    yaml.begin_document();
    const std::string argument = "e/c/any=" + yaml.value(4);
    INFO("seed " << seed << "\n" << app << argument);
    check_round_trip(*resolve_given({{app + kScheduler}, {argument}, false}));
  }
}

TEST_CASE("a value of any depth that is accepted is printed so that it loads again") {
  const std::string head = "name: e\ncomponents:\n- name: c\n  type: test::Everything\n";
  check_round_trip(*resolve_text(head + "  parameters: {any: " + nested(490) + "}\n" + kScheduler));
  check_round_trip(*resolve_given({{head + kScheduler}, {"e/c/any=" + nested(479)}, false}));
  const std::string aliases = head + "  parameters: {any: [&a " + nested(240) + ", " +
                              std::string(240, '[') + "*a" + std::string(240, ']') + "]}\n";
  check_round_trip(*resolve_text(aliases + kScheduler));
}

TEST_CASE("values that nest too deeply to be written again are refused") {
  const std::string head = "name: e\ncomponents:\n- name: c\n  type: test::Everything\n";
  CHECK(resolve_given({{head + kScheduler}, {"e/c/any=" + nested(495)}, false})
            ->count(DiagnosticCode::OverrideSyntax) == 1);
  const std::string aliases = head + "  parameters: {any: [&a " + nested(300) + ", " +
                              std::string(300, '[') + "*a" + std::string(300, ']') + "]}\n";
  CHECK(resolve_text(aliases + kScheduler)->count(DiagnosticCode::TooManyAliasNodes) == 1);
}
