#include "executors/cuda_graph/region_capture.hpp"

#include <utility>

#include "gxr/graph_operator.hpp"
#include "plan/switched_off.hpp"

namespace gxr {

RegionCapture::RegionCapture(const Plan& plan, const GraphRegion& region,
                             const RegionOperators& operators, const RegionProgram& program,
                             RegionBuffers& buffers, CaptureSource& source)
    : plan_(plan),
      region_(region),
      operators_(operators),
      program_(program),
      buffers_(buffers),
      source_(source) {}

void RegionCapture::add_all(DeviceNodes& device) {
  for (NodeId id = 0; id < program_.running().nodes.size(); ++id) {
    add(id, device);
  }
}

void RegionCapture::add(NodeId id, DeviceNodes& device) {
  const DeviceNode& added = node(id);
  switch (added.kind) {
    case DeviceNode::Kind::Branch:
      device.add_branch(branch_memory(id), added);
      return;
    case DeviceNode::Kind::Copy:
      device.add_copy(buffers_.copy_of(added), added);
      return;
    case DeviceNode::Kind::Operator:
      prepare(id, device);
      capture(id, [&](const CapturedWork& work) {
        device.add(work, added, l2_range_of(added, buffers_));
      });
  }
}

void RegionCapture::replace(NodeId id, bool is_on, DeviceNodes& device) {
  if (is_on) {
    capture(id, [&](const CapturedWork& work) { device.replace(id, work); });
  } else {
    device.replace_by_copy(id, passed_copy(id));
  }
}

OperatorCapture RegionCapture::context(NodeId id, CUstream_st* stream) const {
  return {{region_, program_.running(), buffers_, source_}, id, stream};
}

/// Runs what a CapturePreparation does before it is captured.
void RegionCapture::prepare(NodeId id, DeviceNodes& device) {
  const StepId step = node(id).planned;
  auto* const preparation = dynamic_cast<CapturePreparation*>(&operators_.at(step));
  if (preparation == nullptr) {
    return;
  }
  buffers_.clear(program_.running(), node(id).reads);
  guarded(operators_.site(step, "prepare_capture"), [&] {
    device.prepare([&](CUstream_st* stream) {
      OperatorCapture prepared = context(id, stream);
      preparation->prepare_capture(prepared);
    });
  });
}

/// Has `add` called with the work that the operator captures. That may be called later, too, as
/// long as there is a graph.
void RegionCapture::capture(NodeId id, const auto& add) {
  const StepId step = node(id).planned;
  const auto as_operator = [this, step](const auto& call) {
    guarded(operators_.site(step, "capture"), call);
  };
  captured_ = id;
  const auto old = std::exchange(kept_[id], {});  // it may still be needed to capture again
  as_operator([&] {
    add([this, id, step, as_operator](CUstream_st* stream) {
      as_operator([&] {
        OperatorCapture captured = context(id, stream);
        operators_.at(step).capture(captured);
      });
    });
  });
}

BranchMemory RegionCapture::branch_memory(NodeId id) const {
  BranchMemory memory = buffers_.branch_memory(node(id));
  if (node(id).branch.kind == BranchKind::Every) {
    memory.iteration = source_.iteration_of(kNoNode);
  }
  return memory;
}

/// Of no bytes when nothing is passed on.
DeviceCopy RegionCapture::passed_copy(NodeId id) const {
  if (!node(id).traits.pass_through) {
    return {};
  }
  const PassedOn way = passed_on(*plan_.graph, region_, node(id).planned);
  const DeviceRange from = buffers_.at(way.from);
  const DeviceRange to = buffers_.at(way.to);
  return {to.begin, from.begin, from.begin == to.begin ? 0 : to.bytes};
}

}  // namespace gxr
