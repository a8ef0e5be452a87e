#include "stage_graphs.hpp"

#include <algorithm>
#include <utility>

#include "cuda_call.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kWarp = 32;

}  // namespace

StageGraphs::StageGraphs(const LoopMaterial& material, const IterationStages& stages,
                         LoopGraphs& graphs)
    : material_(material), stages_(stages), all_(graphs) {
  // With any input, the next iteration takes those that came, so it is not known in advance.
  for (const Stage& stage : stages_.behind_first(!material_.memory.takes_any())) {
    graphs_.push_back({stage, &all_.add(make_graph())});
  }
  if (!graphs_.empty()) {
    RuntimeMemory memory(bytes(), MemoryStorageType::Device, material_.options.device);
    table_ = reinterpret_cast<const cudaGraphExec_t*>(memory.get());
    all_.add(std::move(memory), bytes());
  }
}

void StageGraphs::lay(const ControlNodes& control) const {
  const IterationLayout layout(material_, control, all_);
  static_cast<void>(lay_section(layout, control, all_.main(), nullptr, {}, LoopRole::End));
  for (const StageGraph& each : graphs_) {
    all_.note_stage(each.made->graph.get());
    lay_stage(each, layout, control);
  }
}

void StageGraphs::lay_stage(const StageGraph& each, const IterationLayout& layout,
                            const ControlNodes& control) const {
  cudaGraph_t const graph = each.made->graph.get();
  if (each.stage.goes_on) {
    const GraphPiece next =
        lay_section(layout, control, graph, nullptr, each.stage, LoopRole::Next);
    static_cast<void>(lay_section(layout, control, graph, &next, {}, LoopRole::End));
  } else {
    static_cast<void>(lay_section(layout, control, graph, nullptr, each.stage, LoopRole::End));
  }
}

/// `end`: of the last stage; all others end with a launch.
GraphPiece StageGraphs::lay_section(const IterationLayout& layout, const ControlNodes& control,
                                    cudaGraph_t graph, const GraphPiece* begin, const Stage& stage,
                                    LoopRole end) const {
  return layout.lay(graph, begin, stages_.section(stage), [&](cudaGraph_t to) {
    return stages_.is_last(stage) ? control.add(to, end) : add_launch(to, control, stage.number);
  });
}

/// Decides the branch that ends a stage.
GraphPiece StageGraphs::add_launch(cudaGraph_t graph, const ControlNodes& control,
                                   std::size_t stage) const {
  LoopTable table = control.table();
  Choice choice = choice_of(material_.nodes[stages_.branches()[stage]].branch(), false);
  LoopStages next{place_of({stage + 1, 0, false}), place_of({stage + 1, 0, true})};
  void* arguments[] = {&table, &choice, &next};
  return add_kernel(graph, stage_kernel(), 1, kWarp, arguments, control.piece_options());
}

/// The place in the table of a stage's graph; nullptr: there is none.
const cudaGraphExec_t* StageGraphs::place_of(const Stage& stage) const {
  const auto found = std::ranges::find(graphs_, stage, &StageGraph::stage);
  return found == graphs_.end() ? nullptr : table_ + 1 + (found - graphs_.begin());
}

void StageGraphs::instantiate() const {
  for (const StageGraph& each : graphs_) {
    each.made->exec = cuda::instantiate(each.made->graph.get(), material_.stream, true);
  }
}

void StageGraphs::upload_table() const {
  if (graphs_.empty()) {
    return;
  }
  std::vector<cudaGraphExec_t> execs{all_.main_exec()};
  for (const StageGraph& each : graphs_) {
    execs.push_back(each.made->exec.get());
  }
  upload(table_, execs, material_.stream);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(material_.stream));
}

}  // namespace gxr::cuda
