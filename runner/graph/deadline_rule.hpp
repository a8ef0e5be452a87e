#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Key of a document that says how long ticks of its entity may take, and how old its data may be.
inline constexpr const char* kDeadlineKey = "deadline";

/// Reads `deadline: {tick: 5ms, age: 30ms, on_miss: fail}` of a document; `age` may be a map from
/// sources to times. Of several documents of an entity the last one wins. Reports what is wrong.
void read_deadline_rule(const Value& root, Diagnostics& diagnostics, GraphEntity& entity);

/// Step of resolve, behind the links: finds the sources that deadlines name. Reports those that
/// are no entities, have inputs, or send nothing.
void find_deadline_sources(Suggester& suggester, Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr
