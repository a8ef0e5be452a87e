#include "schedulers/kept_outputs.hpp"

#include <algorithm>

#include "graph/text.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

bool is_in_arena(const GraphTensor& tensor) noexcept {
  return tensor.place == GraphTensor::Place::Arena && tensor.owner == kNone;
}

Range range_of(const GraphTensor& tensor) {
  return {tensor.offset, tensor.offset + tensor.spec->bytes()};
}

bool overlap(const Range& one, const Range& other) noexcept {
  return one.begin < other.end && other.begin < one.end;
}

bool is_shared(const GraphRegion& region, TensorId id) {
  const GraphTensor& tensor = region.tensors[id];
  if (!is_in_arena(tensor)) {
    return false;
  }
  const Range range = range_of(tensor);
  return std::ranges::any_of(region.tensors,
                             [&](const GraphTensor& other) {
                               return &other != &tensor && is_in_arena(other) &&
                                      overlap(range, range_of(other));
                             }) ||
         std::ranges::any_of(region.scratch, [&](const GraphScratch& scratch) {
           return overlap(range, {scratch.offset, scratch.offset + scratch.bytes});
         });
}

}  // namespace

void require_kept_outputs(const Graph& graph, const GraphRegion& region, StepId step) {
  for (const TensorId written : region.steps[step].writes) {
    if (is_shared(region, written)) {
      const GraphTensor& tensor = region.tensors[written];
      throw Error(ErrorCode::NotSupported,
                  called(graph.entities[region.steps[step].entity]) +
                      " cannot be switched off: others write to the memory of its output " +
                      called(graph, graph.components[tensor.transmitter]) +
                      ", which would not keep what it holds; give it memory of its own "
                      "(own_pointer of a gxr::cuda::DeviceTransmitter)");
    }
  }
}

}  // namespace gxr
