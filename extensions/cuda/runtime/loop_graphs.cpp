#include "loop_graphs.hpp"

#include <filesystem>
#include <utility>

#include "graph_dot.hpp"

namespace gxr::cuda {

LoopGraphs LoopGraphs::begin() {
  LoopGraphs graphs;
  graphs.main_ = make_graph();
  graphs.all_ = {graphs.main_.get()};
  return graphs;
}

LoopGraphs::While LoopGraphs::add_while(cudaGraph_t graph,
                                        const std::vector<cudaGraphNode_t>& after,
                                        cudaGraphConditionalHandle handle) {
  const ConditionalNode added = add_conditional(graph, after, handle, cudaGraphCondTypeWhile, 1);
  return {added.node, all_.emplace_back(added.bodies.front())};
}

LoopGraph& LoopGraphs::add(GraphHandle graph) {
  return others_.emplace_back(LoopGraph{std::move(graph), {}});
}

void LoopGraphs::note(const GraphLayout& layout) {
  all_.insert(all_.end(), layout.bodies().begin(), layout.bodies().end());
  switched_branches_.insert(switched_branches_.end(), layout.switched().begin(),
                            layout.switched().end());
}

void LoopGraphs::instantiate(const LoopMaterial& material, bool by_kernels) {
  if (!switched_branches_.empty()) {
    switch_bodies(material);
  }
  exec_ = cuda::instantiate(main_.get(), material.stream, by_kernels);
}

/// A loop whose kernels cannot be switched ends.
void LoopGraphs::switch_bodies(const LoopMaterial& material) {
  BodySwitch failed;
  failed.error = material.memory.table().launch_error;
  failed.limit = &material.memory.state()->limit;
  switched_ = SwitchedBodies(material.options.device, switched_branches_, failed, material.stream);
}

void LoopGraphs::add(RuntimeMemory memory, std::size_t bytes) {
  memory_ = std::move(memory);
  bytes_ = bytes;
}

cudaGraphExec_t LoopGraphs::first() const noexcept {
  if (anew_.get() != nullptr) {
    return anew_.get();
  }
  return launches_itself() ? starter_.get() : exec_.get();
}

std::vector<GraphExecHandle*> LoopGraphs::execs() {
  std::vector<GraphExecHandle*> all{&anew_, &starter_, &exec_};
  for (LoopGraph& other : others_) {
    all.push_back(&other.exec);
  }
  return all;
}

void LoopGraphs::destroy() noexcept {
  for (GraphExecHandle* exec : execs()) {
    destroy_when_may_wait(*exec);
  }
  destroy_when_may_wait(main_);
  others_.clear();
  all_.clear();
  switched_branches_.clear();
  switched_ = {};
  memory_ = {};
  bytes_ = 0;
}

void LoopGraphs::release() noexcept {
  for (GraphExecHandle* exec : execs()) {
    exec->release();
  }
  for (LoopGraph& other : others_) {
    other.graph.release();
  }
  main_.release();
}

void LoopGraphs::write_dot(const std::string& file) const {
  cuda::write_dot(main_.get(), file);
  std::size_t number = 1;
  for (const LoopGraph& other : others_) {
    const std::filesystem::path path(file);
    const std::string name =
        path.stem().string() + "." + std::to_string(++number) + path.extension().string();
    cuda::write_dot(other.graph.get(), (path.parent_path() / name).string());
  }
}

}  // namespace gxr::cuda
