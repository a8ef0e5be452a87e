#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.hpp"
#include "gxr/report.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Characters of a file.
struct WrittenPlace {
  Location where;
  std::uint32_t length = 1;
};

/// The component that failed, or nullptr: an entity, or nothing that a file describes.
const GraphComponent* failed_component(const Graph& graph, const Failure& failure);

/// Where a file describes what failed: the value of a parameter that the component's text names,
/// else the component, else the entity. Nothing for what no file describes.
GXR_INTERNAL_API std::optional<WrittenPlace> place_of(const Graph& graph, const SourceMap& sources,
                                                      const Failure& failure);

}  // namespace gxr
