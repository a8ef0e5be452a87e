#include "launched_graphs.hpp"

#include <utility>

namespace gxr::cuda {

LaunchedGraphs::LaunchedGraphs(const LoopMaterial& material, const PieceOptions& piece_options,
                               LoopGraphs& graphs)
    : material_(material), piece_options_(piece_options) {
  for (const LaunchedBodies::Body& body : material_.launched.bodies()) {
    std::array<cudaGraphExec_t, kCount>& execs = execs_.emplace_back();
    for (const Which which : {kBody, kIn, kOut}) {
      GraphHandle graph = lay(body, which);
      if (graph.get() != nullptr) {
        LoopGraph& made = graphs.add(std::move(graph));
        made.exec = cuda::instantiate(made.graph.get(), material_.stream, true);
        execs[which] = made.exec.get();
      }
    }
  }
}

bool LaunchedGraphs::belongs(NodeId number, NodeId branch, Which which) const {
  const DeviceNode& node = material_.nodes[number].node;
  const bool crosses = node.crosses == branch;
  const bool in_body = node.body.branch == branch;
  return which == kBody ? in_body && !crosses : crosses && in_body == (which == kOut);
}

/// The nodes of a body, or the copies to or from it, as a graph; nothing when there are none.
GraphHandle LaunchedGraphs::lay(const LaunchedBodies::Body& body, Which which) const {
  GraphHandle graph = make_graph();
  GraphLayout layout(graph.get(), graph.get(), piece_options_);
  if (!lay_nodes(layout, graph.get(), body.number, which)) {
    return {};
  }
  if (which == kBody && body.is_sibling()) {
    end_sibling(layout, graph.get(), body.number);
  }
  return graph;
}

/// False: there are none.
bool LaunchedGraphs::lay_nodes(GraphLayout& layout, cudaGraph_t graph, NodeId branch,
                               Which which) const {
  bool any = false;
  for (NodeId i = 0; i < material_.nodes.size(); ++i) {
    if (!belongs(i, branch, which)) {
      layout.note({}, {}, {});
      continue;
    }
    any = true;
    const LoopNode& node = material_.nodes[i];
    std::vector<NodeId> after = node.node.after;
    std::erase_if(after, [&](NodeId each) { return !belongs(each, branch, which); });
    layout.add(place_node(node, graph, piece_options_), after, {});
  }
  return any;
}

/// Puts the kernel behind all else that says that a sibling has ended.
void LaunchedGraphs::end_sibling(const GraphLayout& layout, cudaGraph_t graph,
                                 NodeId branch) const {
  LaunchedBodyState* state = material_.launched.state_of(branch);
  void* arguments[] = {&state};
  const GraphPiece end = add_kernel(graph, sibling_end_kernel(), 1, 1, arguments, piece_options_);
  for (NodeId i = 0; i < material_.nodes.size(); ++i) {
    if (belongs(i, branch, kBody) && !layout.is_followed(i)) {
      join_pieces(graph, layout.piece(i), end);
    }
  }
}

void LaunchedGraphs::upload(cudaGraphExec_t starter) const {
  if (execs_.empty()) {
    return;
  }
  std::vector<LaunchedBody> graphs;
  for (std::size_t i = 0; i < execs_.size(); ++i) {
    const LaunchedBodies::Body& body = material_.launched.bodies()[i];
    graphs.push_back(
        {execs_[i][kBody], execs_[i][kIn], execs_[i][kOut], body.branch.count, body.is_sibling()});
  }
  material_.launched.upload_graphs(graphs, starter, material_.stream);
}

}  // namespace gxr::cuda
