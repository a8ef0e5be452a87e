#pragma once

#include <span>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Notes the names of entities that documents of one file give to what they cannot make, because
/// their keys are wrong. What refers to such a name is right; only the document is wrong, and that
/// is reported. With --compat gxf GXF's reading counts, and nothing is lost.
/// True when something is lost, or a key is not known.
bool note_lost_entities(std::span<const DocumentPart> parts, const Diagnostics& diagnostics,
                        Graph& graph);
/// The same for documents that are no maps.
void note_unusable(std::span<const DocumentPart> parts, Graph& graph);

/// Notes the names that an entry of `components` gives to a component that it does not make, or
/// makes without that name. Precondition: what is wrong with the entry is an error and reported.
void note_lost_component(const Value& entry, const GraphEntity& entity, Graph& graph);

/// Does the map have one of its keys twice?
[[nodiscard]] bool has_duplicate_key(const Value& map);

}  // namespace gxr
