#include "plan/region_changes.hpp"

#include <algorithm>

#include "graph/text.hpp"

namespace gxr {
namespace {

std::string name_of(const Graph& graph, const GraphTensor& tensor) {
  const ComponentId port =
      tensor.transmitter != kNone ? tensor.transmitter : tensor.receivers.front();
  return in_quotes(graph.full_name(graph.components[port]));
}

std::string spec_text(const GraphTensor& tensor) {
  return tensor.spec
             ? tensor.spec->to_string() + ", " + std::to_string(tensor.spec->bytes()) + " bytes"
             : "unknown";
}

std::string arena_text(const GraphRegion& region) {
  return region.laid_out ? std::to_string(region.arena_bytes) + " bytes" : "unknown";
}

}  // namespace

std::vector<std::string> describe_changes(const Graph& graph, const GraphRegion& before,
                                          const GraphRegion& after) {
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < after.tensors.size(); ++i) {
    const GraphTensor& was = before.tensors[i];
    const GraphTensor& is = after.tensors[i];
    if (spec_text(was) != spec_text(is)) {
      changes.push_back(name_of(graph, is) + " is " + spec_text(is) + "; it was planned as " +
                        spec_text(was));
    }
    if (was.owner != is.owner) {
      changes.push_back(name_of(graph, is) + " lies in memory of " +
                        (is.owner == kNone
                             ? "the graph"
                             : in_quotes(graph.full_name(graph.components[is.owner]))));
    }
  }
  if (arena_text(before) != arena_text(after)) {
    changes.push_back("the arena has " + arena_text(after) + "; planned were " +
                      arena_text(before));
  }
  return changes;
}

std::string describe_change(const Graph& graph, const GraphTensor& before,
                            const GraphTensor& after) {
  return name_of(graph, after) + " is " + after.spec->to_string() + "; it was " +
         before.spec->to_string();
}

const char* why_fixed(const Region& region) {
  if (region.executor != ExecutorKind::Resident) {
    return nullptr;
  }
  const GraphRegion& graph = *region.graph;
  if (!graph.handlers.empty() || graph.options.ready == GraphReady::Any) {
    return "a loop on the GPU takes changes only when it waits for all its inputs, without "
           "data-ready handlers";
  }
  if (graph.options.loop == GraphLoop::HeadTail &&
      std::ranges::any_of(graph.tensors, &GraphTensor::lasts)) {
    return "with 'loop: head_tail' the operators run once more when the loop ends, which would "
           "change what its tensors keep; leave 'loop' out";
  }
  return nullptr;
}

std::string unknown_tensors(const Graph& graph, const GraphRegion& region) {
  std::string names;
  for (const GraphTensor& tensor : region.tensors) {
    if (!tensor.spec) {
      names += (names.empty() ? "" : ", ") + name_of(graph, tensor);
    }
  }
  return names;
}

}  // namespace gxr
