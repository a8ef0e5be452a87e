#include <algorithm>
#include <cstddef>
#include <vector>

#include "control_nodes.hpp"
#include "cuda_nodes.hpp"
#include "iteration_layout.hpp"
#include "loop_builders.hpp"

namespace gxr::cuda {
namespace {

/// The conditions of the WHILE nodes. All are made before the first control kernel, since each gets
/// all of them.
LoopHandles make_handles(cudaGraph_t main, bool unrolled, bool measures) {
  LoopHandles handles{};
  handles.all = make_handle(main, 1);
  if (unrolled) {
    handles.many = make_handle(main, 0);
  }
  if (unrolled && measures) {
    handles.plain = make_handle(main, 0);
  }
  if (unrolled || measures) {
    handles.one = make_handle(main, 0);
  }
  return handles;
}

/// A round of `unroll` iterations.
void lay_round(const IterationLayout& layout, cudaGraph_t round, std::uint32_t unroll) {
  GraphPiece before = layout.lay(round, nullptr, LoopRole::Next);
  for (std::uint32_t i = 2; i < unroll; ++i) {
    before = layout.lay(round, &before, LoopRole::Next);
  }
  layout.lay(round, &before, LoopRole::End);
}

/// The body of the loop.
void lay_body(const LoopMaterial& material, const IterationLayout& layout,
              const LoopHandles& handles, std::uint32_t unroll, cudaGraph_t body,
              LoopGraphs& graphs) {
  const bool unrolled = unroll > 1;
  const bool measures = material.records != nullptr;
  std::vector<cudaGraphNode_t> before;
  if (measures) {
    before = layout.lay_measured(body, LoopRole::Measured).last;
  }
  if (measures && unrolled) {
    body = graphs.add_while(body, before, handles.plain).body;
    before.clear();
  }
  if (unrolled) {
    const LoopGraphs::While many = graphs.add_while(body, before, handles.many);
    lay_round(layout, many.body, unroll);
    before = {many.node};
  }
  if (measures || unrolled) {
    body = graphs.add_while(body, before, handles.one).body;
  }
  layout.lay(body, nullptr, LoopRole::End);
}

}  // namespace

LoopGraphs build_control_at_end(const LoopMaterial& material, std::uint32_t unroll) {
  LoopGraphs graphs = LoopGraphs::begin();
  LoopTable table = material.memory.table();
  table.unroll = unroll;
  const LoopHandles handles = make_handles(graphs.main(), unroll > 1, material.records != nullptr);
  const ControlNodes control(material, table, handles, false);
  const IterationLayout layout(material, control, graphs);
  const GraphPiece first = control.add(graphs.main(), LoopRole::First);
  cudaGraph_t const body = graphs.add_while(graphs.main(), first.last, handles.all).body;
  lay_body(material, layout, handles, unroll, body, graphs);
  graphs.instantiate(material, false);
  return graphs;
}

std::uint32_t iterations_in_round(const DeviceLoopOptions& options, const LoopNodes& nodes) {
  if (options.loop != GraphLoop::ControlAtEnd || options.doorbells > 0 ||
      options.ready == GraphReady::Any) {
    return 1;
  }
  std::size_t captured = 0;
  for (const LoopNode& node : nodes) {
    captured += node.is_branch() ? 1 : nodes_of(node.captured.get()).size();
  }
  if (options.nodes_of_round == 0 || captured == 0) {
    return options.unroll;
  }
  const std::size_t most = std::max<std::size_t>(options.nodes_of_round / captured, 1);
  return static_cast<std::uint32_t>(std::min<std::size_t>(options.unroll, most));
}

}  // namespace gxr::cuda
