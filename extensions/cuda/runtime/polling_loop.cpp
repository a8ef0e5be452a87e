#include <cstddef>
#include <vector>

#include "control_nodes.hpp"
#include "iteration_layout.hpp"
#include "loop_builders.hpp"

namespace gxr::cuda {
namespace {

/// The operators that poll, which may begin when `begin` ends, or, for null, at once; and the
/// kernel that decides, which is returned.
GraphPiece lay_poll(const LoopNodes& nodes, const ControlNodes& control, cudaGraph_t graph,
                    const GraphPiece* begin) {
  std::vector<GraphPiece> placed;
  std::vector<bool> followed(nodes.size());
  for (const LoopNode& node : nodes) {
    GraphPiece& piece = placed.emplace_back();
    if (!node.node.polls) {
      continue;
    }
    piece = place_node(node, graph, control.piece_options());
    for (const NodeId before : node.node.after) {
      join_pieces(graph, placed.at(before), piece);
      followed[before] = true;
    }
    if (node.node.after.empty() && begin != nullptr) {
      join_pieces(graph, *begin, piece);
    }
  }
  GraphPiece decides = control.add(graph, LoopRole::Poll);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].node.polls && !followed[i]) {
      join_pieces(graph, placed[i], decides);
    }
  }
  return decides;
}

}  // namespace

LoopGraphs build_polling(const LoopMaterial& material) {
  LoopGraphs graphs = LoopGraphs::begin();
  LoopHandles handles{};
  handles.all = make_handle(graphs.main(), 1);
  handles.one = make_handle(graphs.main(), 0);
  const ControlNodes control(material, material.memory.table(), handles, false);
  const IterationLayout layout(material, control, graphs);
  cudaGraph_t const body = graphs.add_while(graphs.main(), {}, handles.all).body;
  const GraphPiece decides = lay_poll(material.nodes, control, body, nullptr);
  cudaGraph_t const inner = graphs.add_while(body, decides.last, handles.one).body;
  // There is one copy of the iteration, so every one is measured, or none.
  const GraphPiece end = material.records != nullptr ? layout.lay_measured(inner, LoopRole::Close)
                                                     : layout.lay(inner, nullptr, LoopRole::Close);
  lay_poll(material.nodes, control, inner, &end);
  graphs.instantiate(material, false);
  return graphs;
}

}  // namespace gxr::cuda
