#include "plan/own_memory.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "graph/text.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Memory = cuda::DevicePort::Memory;

std::string name_of(const Graph& graph, ComponentId queue) {
  return in_quotes(graph.full_name(graph.components[queue]));
}

/// The queues of the region at which a tensor passes, its transmitter first.
std::vector<ComponentId> queues_of(const GraphTensor& tensor) {
  std::vector<ComponentId> queues;
  if (tensor.transmitter != kNone) {
    queues.push_back(tensor.transmitter);
  }
  for (const auto* more : {&tensor.passed, &tensor.receivers}) {
    queues.insert(queues.end(), more->begin(), more->end());
  }
  return queues;
}

void require_same(const Graph& graph, ComponentId first, const Memory& chosen, ComponentId other,
                  const Memory& memory) {
  if (memory.pointer != chosen.pointer) {
    throw Error(ErrorCode::InvalidArgument,
                name_of(graph, first) + " and " + name_of(graph, other) +
                    " are one tensor of the graph, but each has another memory of its own; give "
                    "it to one of them, or the same to both");
  }
}

/// The same and the queues of other entities that feed or read it.
std::vector<ComponentId> all_queues_of(const GraphRegion& region, TensorId id) {
  std::vector<ComponentId> queues = queues_of(region.tensors[id]);
  for (const GraphInput& input : region.inputs) {
    if (input.tensor == id) {
      queues.push_back(input.links.front().transmitter);
    }
  }
  for (const GraphOutput& output : region.outputs) {
    if (output.tensor == id) {
      std::ranges::transform(output.links, std::back_inserter(queues), &Link::receiver);
    }
  }
  return queues;
}

void require_large_enough(const Graph& graph, const GraphRegion& region, TensorId id,
                          ComponentId port, const Memory& memory) {
  const TensorSpec& spec = *region.tensors[id].spec;
  if (memory.bytes < spec.bytes()) {
    throw Error(ErrorCode::InvalidArgument,
                "the memory of " + name_with_ends(graph, region, id, port) + " has " +
                    std::to_string(memory.bytes) + " bytes, but the tensor " + spec.to_string() +
                    " needs " + std::to_string(spec.bytes()));
  }
}

}  // namespace

std::string name_with_ends(const Graph& graph, const GraphRegion& region, TensorId tensor,
                           ComponentId end) {
  std::string others;
  for (const ComponentId queue : all_queues_of(region, tensor)) {
    if (queue != end) {
      others += (others.empty() ? "" : ", ") + name_of(graph, queue);
    }
  }
  return name_of(graph, end) + (others.empty() ? "" : " (connected to " + others + ")");
}

Memory own_memory(const Graph& graph, const GraphRegion& region, TensorId tensor,
                  ShapeSource& source) {
  Memory chosen;
  ComponentId owner = kNone;
  for (const ComponentId queue : queues_of(region.tensors[tensor])) {
    const cuda::DevicePort* const port = source.device_port(queue);
    if (port == nullptr || !port->has_own_memory()) {
      continue;
    }
    const Memory& memory = port->memory();
    if (memory.pointer == nullptr) {
      throw Error(ErrorCode::InvalidState,
                  "the operator of " + name_with_ends(graph, region, tensor, queue) +
                      " was to give its memory (own_pointer), but has not called set_pointer() in "
                      "initialize() or start()");
    }
    if (owner != kNone) {
      require_same(graph, owner, chosen, queue, memory);
    } else {
      owner = queue;
      chosen = memory;
    }
    require_large_enough(graph, region, tensor, queue, memory);
  }
  return chosen;
}

}  // namespace gxr
