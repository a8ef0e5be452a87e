#pragma once

#include "gxr/gxr.hpp"

namespace gpu {

void add_ahead(gxr::Extension& extension);
void add_branches(gxr::Extension& extension);
void add_streams(gxr::Extension& extension);
void add_changes(gxr::Extension& extension);
void add_graphs(gxr::Extension& extension);
void add_hangs(gxr::Extension& extension);
void add_inputs(gxr::Extension& extension);
void add_nodes(gxr::Extension& extension);
void add_processor(gxr::Extension& extension);
void add_rings(gxr::Extension& extension);

}  // namespace gpu
