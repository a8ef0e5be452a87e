#include "control_nodes.hpp"
#include "iteration_stages.hpp"
#include "launched_graphs.hpp"
#include "loop_builders.hpp"
#include "stage_graphs.hpp"

namespace gxr::cuda {
namespace {

/// A graph with the first control kernel: kernels launch graphs only from a graph.
GraphExecHandle make_starter(const LoopMaterial& material, const LoopTable& table,
                             cudaGraphExec_t first) {
  LoopHandles handles{};
  handles.body = first;
  const ControlNodes control(material, table, handles, true);
  const GraphHandle graph = make_graph();
  static_cast<void>(control.add(graph.get(), LoopRole::First));
  return cuda::instantiate(graph.get(), material.stream, true);
}

/// Of a loop with siblings: a graph that launches the starter, and, behind all that follows from
/// that, itself.
GraphExecHandle make_anew(const LoopMaterial& material, const ControlNodes& control) {
  const GraphHandle graph = make_graph();
  LoopTable table = control.table();
  void* arguments[] = {&table};
  static_cast<void>(
      add_kernel(graph.get(), anew_kernel(), 1, 1, arguments, control.piece_options()));
  return cuda::instantiate(graph.get(), material.stream, true);
}

}  // namespace

LoopGraphs build_launching(const LoopMaterial& material, const std::vector<NodeId>& dividing) {
  LoopGraphs graphs = LoopGraphs::begin();
  PieceOptions piece_options = material.piece_options;
  piece_options.by_kernels = true;
  const LaunchedGraphs launched(material, piece_options, graphs);
  const IterationStages stages(material, dividing);
  const StageGraphs stage_graphs(material, stages, graphs);

  LoopTable table = material.memory.table();
  material.launched.fill(table);
  stage_graphs.fill(table);
  const ControlNodes control(material, table, {}, true);
  stage_graphs.lay(control);
  graphs.instantiate(material, true);
  stage_graphs.instantiate();

  graphs.launch_by(make_starter(material, table, graphs.main_exec()));
  launched.upload(graphs.starter());
  if (material.launched.has_siblings()) {
    graphs.launch_anew_by(make_anew(material, control));
  }
  stage_graphs.upload_table();
  return graphs;
}

}  // namespace gxr::cuda
