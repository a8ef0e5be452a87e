#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Key of a document that says what follows when a tick of its entity fails.
inline constexpr const char* kFailureKey = "on_failure";

/// Reads `on_failure: {restart: {limit: 3, window: 60s, delay: 1s}}` of a document, all of whose
/// keys but `restart` may be left out; later documents of an entity win. Reports what is wrong.
void read_failure_rule(const Value& root, Diagnostics& diagnostics, GraphEntity& entity);

}  // namespace gxr
