#include "graph/deadline_rule.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "graph/rule_values.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

constexpr const char* kDeadlineForm = "write 'deadline: {tick: 5ms, age: 30ms, on_miss: fail}'";

class DeadlineReader {
 public:
  explicit DeadlineReader(RuleValues& values) : values_(values) {}

  DeadlineRule read(const Value& map) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      const std::string_view key = map.key(i).text();
      const Value& value = map.value(i);
      if (key == "tick") {
        rule_.tick_ns = values_.time(value, 1);
      } else if (key == "age") {
        read_ages(value);
      } else if (key == "on_miss") {
        read_on_miss(value);
      } else {
        values_.report_key(map.key(i), kDeadlineKey);
      }
    }
    return rule_;
  }

 private:
  void read_ages(const Value& value) {
    if (!value.is_map()) {
      rule_.ages.push_back({nullptr, kNone, values_.time(value, 1)});
      return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      rule_.ages.push_back({&value.key(i), kNone, values_.time(value.value(i), 1)});
    }
  }

  void read_on_miss(const Value& value) {
    rule_.fails = value.text() == "fail";
    if (!rule_.fails && value.text() != "count") {
      values_.report(value, "'on_miss' must be 'count' or 'fail'");
    }
  }

  RuleValues& values_;
  DeadlineRule rule_;
};

/// The entity that a document of `scope` calls `name`: one of its own file first.
const GraphEntity* find_named(const Graph& graph, ScopeId scope, std::string_view name) {
  const GraphEntity* const inner =
      graph.find_entity(graph.scopes[scope].prefix + std::string(name));
  return inner != nullptr ? inner : graph.find_entity(std::string(name));
}

/// The entities to whose components one end of the links leads.
std::vector<bool> find_ends(const Graph& graph, ComponentId Link::*end) {
  std::vector<bool> found(graph.entities.size());
  for (const Link& link : graph.links) {
    found[graph.components[link.*end].entity] = true;
  }
  return found;
}

}  // namespace

void read_deadline_rule(const Value& root, Diagnostics& diagnostics, GraphEntity& entity) {
  const Value* const deadline = root.find(kDeadlineKey);
  if (deadline == nullptr) {
    return;
  }
  RuleValues values(kDeadlineForm, diagnostics);
  if (!deadline->is_map() || deadline->size() == 0) {
    values.report(*deadline, "'deadline' must be a map with 'tick', 'age' or both");
    return;
  }
  const DeadlineRule rule = DeadlineReader(values).read(*deadline);
  if (!rule.tick_ns && rule.ages.empty()) {
    values.report(*deadline, "'deadline' has neither 'tick' nor 'age'");
    return;
  }
  entity.deadline = rule;
}

void find_deadline_sources(Suggester& suggester, Diagnostics& diagnostics, Graph& graph) {
  const std::vector<bool> fed = find_ends(graph, &Link::receiver);
  const std::vector<bool> sends = find_ends(graph, &Link::transmitter);
  const auto find = [&](const GraphEntity& entity, DeadlineRule::Age& age) {
    const std::string_view name = age.key->text();
    const GraphEntity* const source = find_named(graph, entity.scope, name);
    if (source == nullptr) {
      diagnostics.add(DiagnosticCode::EntityNotFound, *age.key,
                      "there is no entity " + in_quotes(name),
                      suggester.entity(name, graph.scopes[entity.scope].prefix));
    } else if (fed[source->id] || !sends[source->id]) {
      diagnostics.add(DiagnosticCode::ParameterValue, *age.key,
                      in_quotes(name) + (fed[source->id] ? " has inputs" : " sends no messages") +
                          ", so it acquires no data",
                      "name the source from which its messages come");
    } else {
      age.source = source->id;
    }
  };
  for (GraphEntity& entity : graph.entities) {
    for (std::size_t i = 0; entity.deadline && i < entity.deadline->ages.size(); ++i) {
      if (entity.deadline->ages[i].key != nullptr) {
        find(entity, entity.deadline->ages[i]);
      }
    }
  }
}

}  // namespace gxr
