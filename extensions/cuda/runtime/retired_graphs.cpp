#include "retired_graphs.hpp"

#include <utility>

#include "graph_pieces.hpp"

namespace gxr::cuda {
namespace {

void destroy_late(RetiredGraph& old) noexcept {
  for (GraphExecHandle& exec : old.execs) {
    destroy_when_may_wait(exec);
  }
  for (GraphHandle& graph : old.graphs) {
    destroy_when_may_wait(graph);
  }
}

}  // namespace

RetiredGraph& RetiredGraphs::add(const DeviceWork& needed_by) {
  RetiredGraph& added = retired_.emplace_back();
  added.needed_by = needed_by;
  return added;
}

void RetiredGraphs::destroy_done(bool late) {
  const auto is_done = [](const DeviceWork& work) { return work.stream->is_done(work.number); };
  while (!retired_.empty() && is_done(retired_.front().needed_by)) {
    if (late) {
      destroy_late(retired_.front());
    }
    retired_.pop_front();
  }
}

void RetiredGraphs::destroy_all_late() noexcept {
  for (RetiredGraph& old : retired_) {
    destroy_late(old);
  }
}

}  // namespace gxr::cuda
