#include "control_nodes.hpp"
#include "iteration_layout.hpp"
#include "loop_builders.hpp"

namespace gxr::cuda {

LoopGraphs build_head_tail(const LoopMaterial& material) {
  LoopGraphs graphs = LoopGraphs::begin();
  LoopHandles handles{};
  handles.all = make_handle(graphs.main(), 1);
  const ControlNodes control(material, material.memory.table(), handles, false);
  const IterationLayout layout(material, control, graphs);
  cudaGraph_t const body = graphs.add_while(graphs.main(), {}, handles.all).body;
  const GraphPiece head = control.add(body, LoopRole::Head);
  layout.lay(body, &head, LoopRole::Tail);
  graphs.instantiate(material, false);
  return graphs;
}

}  // namespace gxr::cuda
