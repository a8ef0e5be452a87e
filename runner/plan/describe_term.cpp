#include "plan/describe_term.hpp"

#include <string_view>

#include "graph/parameter_value.hpp"

namespace gxr {
namespace {

/// The queue that a handle names: by its own name inside the term's entity, else with its entity.
std::string queue_name(const Graph& graph, const GraphComponent& term, std::string_view key) {
  const ComponentId id = term.handle(key);
  if (id == kNone) {
    return "'?'";
  }
  const GraphComponent& queue = graph.components[id];
  const bool own = queue.entity == term.entity && !queue.name.empty();
  return "'" + (own ? queue.name : graph.full_name(queue)) + "'";
}

std::string counted_parameter(const GraphComponent& term, std::string_view key, const char* word) {
  const std::string count(parameter_text(term, key));
  return count + " " + word + (count == "1" ? "" : "s");
}

}  // namespace

std::string describe_term(const Graph& graph, const GraphComponent& term) {
  const std::string_view type = term.type->name;
  if (type == "gxr::MessageAvailableSchedulingTerm") {
    return counted_parameter(term, "min_size", "message") + " on " +
           queue_name(graph, term, "receiver");
  }
  if (type == "gxr::DownstreamReceptiveSchedulingTerm") {
    return "room for " + counted_parameter(term, "min_size", "message") + " behind " +
           queue_name(graph, term, "transmitter");
  }
  if (type == "gxr::CountSchedulingTerm") {
    return "up to " + counted_parameter(term, "count", "tick");
  }
  if (type == "gxr::PeriodicSchedulingTerm") {
    return "every " + std::string(parameter_text(term, "recess_period"));
  }
  if (type == "gxr::BooleanSchedulingTerm") {
    return bool_parameter(term, "enable_tick") == false ? "when switched on" : "until switched off";
  }
  return std::string(type);
}

}  // namespace gxr
