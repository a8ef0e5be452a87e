#include "graph/describe_term.hpp"

#include <string_view>

#include "document/utf8.hpp"
#include "graph/parameter_value.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

/// The queue that a handle names: by its own name inside the term's entity, else with its entity.
std::string queue_name(const Graph& graph, const GraphComponent& term, std::string_view key) {
  const ComponentId id = term.handle(key);
  if (id == kNone) {
    const std::string_view written = parameter_text(term, key);  // it is not there
    return "'" + (written.empty() ? "?" : printable(written)) + "'";
  }
  const GraphComponent& queue = graph.components[id];
  const bool own = queue.entity == term.entity && !queue.name.empty();
  return "'" + (own ? queue.name : graph.full_name(queue)) + "'";
}

std::string counted_parameter(const GraphComponent& term, std::string_view key, const char* word) {
  const std::string count(parameter_text(term, key));
  return count + " " + word + (count == "1" ? "" : "s");
}

/// "at 30Hz", "every 33ms".
std::string paced_by(std::string_view period) {
  const bool rate = lower_case(period).ends_with("hz");
  return (rate ? "at " : "every ") + std::string(period);
}

}  // namespace

std::string describe_term(const Graph& graph, const GraphComponent& term) {
  using Can = Capability::Kind;
  for (const Capability& capability : term.type->capabilities) {
    const std::string_view key = capability.key(0);
    switch (capability.kind) {
      case Can::WaitsForMessages:
        return counted_parameter(term, capability.key(1), "message") + " on " +
               queue_name(graph, term, key);
      case Can::WaitsForRoom:
        return "room for " + counted_parameter(term, capability.key(1), "message") + " behind " +
               queue_name(graph, term, key);
      case Can::LimitsTicks:
        return "up to " + counted_parameter(term, key, "tick");
      case Can::PacesTicks:
        return paced_by(parameter_text(term, key));
      case Can::Polls:
        return term.type->name + " asked every " + std::string(parameter_text(term, key));
      case Can::SwitchesTicks:
        return bool_parameter(term, key) == false ? "when switched on" : "until switched off";
      default:
        break;
    }
  }
  return term.type->name;
}

}  // namespace gxr
