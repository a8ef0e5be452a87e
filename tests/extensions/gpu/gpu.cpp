#include "gpu.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  gpu::add_streams(extension);
  gpu::add_graphs(extension);
  gpu::add_branches(extension);
  gpu::add_changes(extension);
  gpu::add_hangs(extension);
  gpu::add_inputs(extension);
  gpu::add_nodes(extension);
  gpu::add_ahead(extension);
  gpu::add_processor(extension);
  gpu::add_rings(extension);
}
