#pragma once

#include <string>

#include "plan/plan.hpp"

namespace gxr {

/// The graph of an application for its page, as JSON:
/// {"version", "nodes": [{"name", "label", "types", "kind", "status": entity or region that the
/// status has for it}], "edges": [{"from": node, "to": node, "from_port", "to_port", "label",
/// "from_queue", "to_queue": "entity/component" or null, "delayed"}],
/// "svg": picture of Graphviz or null}.
///
/// In the picture, group "edgeN" is edge N - 1, and the title of a node is "nN". Nodes have a line
/// of kPlaceholder, and edges one of kEdgePlaceholder, for what the page writes there. There is no
/// picture without Graphviz's program, and none of large graphs: drawing takes too long.
std::string render_picture_json(const Plan& plan, bool narrow);

/// As wide as the longest text that the page writes in its place.
inline constexpr const char* kPlaceholder = "00 of 00, 000 ms";
/// The same of edges.
inline constexpr const char* kEdgePlaceholder = "00.0 k/s, 00 of 00, 000 ms";

}  // namespace gxr
