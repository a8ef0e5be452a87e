// The graphs of a loop: made, drawn and given up.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "graph_dot.hpp"
#include "gxr/error.hpp"
#include "loop.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {

std::vector<GraphExecHandle*> RuntimeLoop::execs() {
  std::vector<GraphExecHandle*> all{&anew_, &starter_, &exec_};
  for (Side& side : sides_) {
    for (GraphExecHandle& exec : side.execs) {
      all.push_back(&exec);
    }
  }
  for (StageGraph& stage : stages_) {
    all.push_back(&stage.exec);
  }
  return all;
}

/// Those that are launched besides graph_.
std::vector<cudaGraph_t> RuntimeLoop::graphs_besides() const {
  std::vector<cudaGraph_t> all;
  for (const StageGraph& stage : stages_) {
    all.push_back(stage.graph.get());
  }
  for (const Side& side : sides_) {
    for (const GraphHandle& graph : side.graphs) {
      if (graph.get() != nullptr) {
        all.push_back(graph.get());
      }
    }
  }
  return all;
}

/// CUDA waits for the end of all loops when it destroys a graph with conditional nodes, and might
/// when one has kernels that are switched.
void RuntimeLoop::destroy_graphs() noexcept {
  for (GraphExecHandle* exec : execs()) {
    if (exec->get() != nullptr) {
      runtime().when_may_wait(
          [handle = exec->get()] { static_cast<void>(cudaGraphExecDestroy(handle)); });
      exec->release();
    }
  }
  destroy_when_may_wait(graph_);
}

/// It does not end: whatever would wait for it is left as it is.
void RuntimeLoop::leave() noexcept {
  runtime().loop_left(*this);
  for (GraphExecHandle* exec : execs()) {
    exec->release();
  }
  for (StageGraph& stage : stages_) {
    stage.graph.release();
  }
  for (Side& side : sides_) {
    for (GraphHandle& graph : side.graphs) {
      graph.release();
    }
  }
  graph_.release();
  for (Part& part : parts_) {
    part.captured.release();
    part.in_l2.release();
  }
  stream_.release();
}

void RuntimeLoop::make_records() {
  std::vector<MeasuredRecords::Part> parts;
  for (const Part& part : parts_) {
    parts.push_back({part.node.after, part.node.body,
                     part.is_branch() ? part.node.branch.bodies : std::uint32_t{0},
                     !part.node.polls});
  }
  records_.emplace(options_.device, options_.instrument_every, std::move(parts));
}

void RuntimeLoop::instantiate() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  if (options_.instrument_every > 0 && !records_) {
    make_records();
  }
  table_.unroll = iterations_in_round();
  // The best way to decide first; it may be that CUDA does not take it.
  dividing_ = find_stages();
  bool is_made = !dividing_.empty() && try_exec();
  if (!is_made) {
    dividing_.clear();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].choosing = can_switch(i) ? Choosing::Switched : Choosing::Conditional;
    }
    const bool switches =
        std::ranges::find(parts_, Choosing::Switched, &Part::choosing) != parts_.end();
    is_made = switches && try_exec();
  }
  if (!is_made) {
    for (Part& part : parts_) {
      part.choosing = Choosing::Conditional;
    }
    make_exec();
  }
  if (launches_itself()) {
    make_starter();
  }
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
}

/// False: CUDA refuses it.
bool RuntimeLoop::try_exec() {
  try {
    make_exec();
  } catch (const Error&) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return true;
}

void RuntimeLoop::make_exec() {
  destroy_graphs();
  handles_ = {};
  graph_ = make_graph();
  graphs_ = {graph_.get()};
  switched_branches_.clear();
  make_sides();
  make_stages();
  lay_loop(graph_.get());
  switched_ = {};
  if (!switched_branches_.empty()) {
    BodySwitch failed;
    failed.error = table_.launch_error;
    failed.limit = &state()->limit;
    switched_ = SwitchedBodies(options_.device, switched_branches_, failed, stream_.get());
  }
  exec_ = cuda::instantiate(graph_.get(), stream_.get(), launches_itself());
  for (StageGraph& stage : stages_) {
    stage.exec = cuda::instantiate(stage.graph.get(), stream_.get(), true);
  }
}

/// Kernels launch graphs only from a graph.
void RuntimeLoop::make_starter() {
  handles_.body = exec_.get();
  const GraphHandle graph = make_graph();
  static_cast<void>(add_control(graph.get(), LoopRole::First));
  starter_ = cuda::instantiate(graph.get(), stream_.get(), true);
  if (!sides_.empty()) {
    upload_sides(stream_.get());
  }
  if (!stages_.empty()) {
    upload_stages(stream_.get());
  }
}

void RuntimeLoop::write_dot(const std::string& file) const {
  const DeviceGuard guard(options_.device);
  cuda::write_dot(graph_.get(), file);
  std::size_t number = 1;
  for (cudaGraph_t const other : graphs_besides()) {
    const std::filesystem::path path(file);
    const std::string name =
        path.stem().string() + "." + std::to_string(++number) + path.extension().string();
    cuda::write_dot(other, (path.parent_path() / name).string());
  }
}

}  // namespace gxr::cuda
