#include "plan/switched_off.hpp"

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
  return tensor.place == GraphTensor::Place::Arena && tensor.owner == kNone && !tensor.in_place;
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

std::string port_of(const Graph& graph, ComponentId port) {
  return called(graph, graph.components[port]);
}

std::string why_not_kept(const Graph& graph, const GraphRegion& region, TensorId written) {
  if (!is_shared(region, written)) {
    return {};
  }
  return "others write to the memory of its output " +
         port_of(graph, region.tensors[written].transmitter) +
         ", which would not keep what it holds; give it memory of its own (own_pointer of a "
         "gxr::cuda::DeviceTransmitter)";
}

bool are_alike(const GraphTensor& one, const GraphTensor& other) {
  return one.spec->bytes() == other.spec->bytes() &&
         (one.only_bytes || other.only_bytes || one.spec->to_string() == other.spec->to_string());
}

std::string why_not_passed_on(const Graph& graph, const GraphRegion& region, StepId step) {
  const std::string words = "its first input would pass to its first output, ";
  const PassedOn way = passed_on(graph, region, step);
  if (way.from == kNone || way.to == kNone) {
    return words + "but it has no " + (way.from == kNone ? "input" : "output");
  }
  const GraphTensor& from = region.tensors[way.from];
  const GraphTensor& to = region.tensors[way.to];
  return are_alike(from, to) ? std::string()
                             : words + "but the one is " + from.spec->to_string() +
                                   ", and the other " + to.spec->to_string();
}

std::string reason_of(const Graph& graph, const GraphRegion& region, StepId step) {
  for (const GraphBranch& branch : region.branches) {
    if (branch.kind == BranchKind::While && branch.decided_by.step == step) {
      return "it says whether the body of branch " +
             called(graph, graph.components[branch.component]) +
             " runs once more, and would always say the same";
    }
  }
  const GraphStep& at = region.steps[step];
  std::string why = at.traits.pass_through ? why_not_passed_on(graph, region, step) : std::string();
  for (std::size_t i = at.traits.pass_through ? 1 : 0; why.empty() && i < at.writes.size(); ++i) {
    why = why_not_kept(graph, region, at.writes[i]);
  }
  return why;
}

}  // namespace

PassedOn passed_on(const Graph& graph, const GraphRegion& region, StepId step) {
  const GraphStep& at = region.steps[step];
  PassedOn way;
  ComponentId first = kNone;
  for (const TensorId read : at.reads) {
    for (const ComponentId receiver : region.tensors[read].receivers) {
      if (graph.components[receiver].entity == at.entity && receiver < first) {
        first = receiver;
        way.from = read;
      }
    }
  }
  way.to = at.writes.empty() ? kNone : at.writes.front();
  return way;
}

std::string why_not_off(const Graph& graph, const GraphRegion& region, StepId step) {
  const std::string why = reason_of(graph, region, step);
  return why.empty() ? why
                     : called(graph.entities[region.steps[step].entity]) +
                           " cannot be switched off: " + why;
}

void require_may_be_off(const Graph& graph, const GraphRegion& region, StepId step) {
  if (const std::string why = why_not_off(graph, region, step); !why.empty()) {
    throw Error(ErrorCode::NotSupported, why);
  }
}

}  // namespace gxr
