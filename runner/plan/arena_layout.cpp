#include "plan/arena_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "plan/memory_plan.hpp"
#include "plan/step_order.hpp"

namespace gxr {
namespace {

/// The requests of a region and where their places are written.
struct Requests {
  std::vector<MemoryRequest> requests;
  std::vector<std::uint64_t*> offsets;
};

/// Is it kept from one poll for input to the next, until an iteration takes it?
bool stays(const GraphRegion& region, const GraphTensor& tensor) {
  return tensor.producer != kNone && region.steps[tensor.producer].polls &&
         std::ranges::any_of(tensor.consumers,
                             [&](StepId consumer) { return !region.steps[consumer].polls; });
}

/// Does a step use it that is launched as a graph of its own?
bool is_used_beside(const GraphRegion& region, const GraphTensor& tensor) {
  const auto is_beside = [&](StepId step) { return launched_around(region, step) != kNone; };
  return (tensor.producer != kNone && is_beside(tensor.producer)) ||
         std::ranges::any_of(tensor.consumers, is_beside);
}

/// Of memory that no other step uses.
void keep_for_itself(const GraphRegion& region, MemoryRequest& request) {
  request.producer = 0;
  for (StepId step = 0; step < region.steps.size(); ++step) {
    request.consumers.push_back(step);
  }
}

MemoryRequest request_of(const GraphRegion& region, TensorId id) {
  const GraphTensor& tensor = region.tensors[id];
  MemoryRequest request{tensor.spec->bytes(), tensor.producer, tensor.consumers};
  if (stays(region, tensor)) {
    // No step that polls may use the same memory: there from the first one, through the last. And
    // when any input is enough, no step at all: iterations without news show it again.
    request.producer = 0;
    const bool always = region.options.ready == GraphReady::Any;
    for (StepId step = 0; step < region.steps.size() && (always || region.steps[step].polls);
         ++step) {
      request.consumers.push_back(step);
    }
  }
  // A program that drives the graph may read and write each between two iterations.
  if (tensor.lasts || region.options.host_driven || is_used_beside(region, tensor)) {
    keep_for_itself(region, request);
  }
  for (const TensorWriter& other : tensor.in_turn) {
    request.consumers.push_back(other.step);
  }
  for (BranchId branch = 0; branch < region.branches.size(); ++branch) {
    if (region.branches[branch].selector == id) {
      // It is read before they begin, and, of a While, when they have ended.
      std::ranges::copy(steps_in(region, branch), std::back_inserter(request.consumers));
    }
  }
  const std::vector<StepId> readers = request.consumers;
  for (const StepId reader : readers) {
    const std::vector<StepId> again = repeated_around(region, reader, tensor.producer);
    request.consumers.insert(request.consumers.end(), again.begin(), again.end());
  }
  return request;
}

Requests requests_of(GraphRegion& region) {
  Requests all;
  for (TensorId id = 0; id < region.tensors.size(); ++id) {
    GraphTensor& tensor = region.tensors[id];
    if (tensor.place == GraphTensor::Place::Arena && tensor.owner == kNone && !tensor.in_place) {
      all.requests.push_back(request_of(region, id));
      all.offsets.push_back(&tensor.offset);
    }
  }
  for (GraphScratch& scratch : region.scratch) {
    all.requests.push_back({scratch.bytes, scratch.step, {}});
    if (launched_around(region, scratch.step) != kNone) {
      keep_for_itself(region, all.requests.back());
    }
    all.offsets.push_back(&scratch.offset);
  }
  return all;
}

}  // namespace

void lay_out_arena(GraphRegion& region) {
  region.laid_out =
      std::ranges::all_of(region.steps, &GraphStep::answered) &&
      std::ranges::all_of(region.tensors, [](const GraphTensor& t) { return t.spec.has_value(); });
  if (!region.laid_out) {
    return;
  }
  const Requests all = requests_of(region);
  const MemoryPlan memory = plan_memory(ended_before(region), all.requests);
  for (std::size_t i = 0; i < all.offsets.size(); ++i) {
    *all.offsets[i] = memory.offsets[i];
  }
  region.arena_bytes = memory.bytes;
  region.buffer_bytes = memory.sum;
  region.lower_bound_bytes = memory.lower_bound;
}

}  // namespace gxr
