#include "executors/cuda_graph/operator_capture.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/queue.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_foreign(const Queue& port) {
  throw Error(ErrorCode::InvalidArgument,
              "'" + port.full_name() + "' is no port of the operator that is captured");
}

}  // namespace

BufferId read_by(const GraphRegion& region, const DeviceNode& node, const Receiver& port) {
  for (const BufferId read : node.reads) {
    const auto& receivers = region.tensors[read].receivers;
    if (std::ranges::find(receivers, port.component_id()) != receivers.end()) {
      return read;
    }
  }
  throw_foreign(port);
}

BufferId written_by(const GraphRegion& region, const DeviceNode& node, const Transmitter& port) {
  for (const BufferId written : node.writes) {
    const GraphTensor& tensor = region.tensors[written];
    if (tensor.transmitter == port.component_id() ||
        std::ranges::find(tensor.in_turn, port.component_id(), &TensorWriter::transmitter) !=
            tensor.in_turn.end()) {
      return written;
    }
  }
  throw_foreign(port);
}

DeviceRange l2_range_of(const DeviceNode& node, const RegionBuffers& buffers) {
  DeviceRange range;
  const KeptInL2 kept = node.traits.kept_in_l2;
  if (kept == KeptInL2::Scratch) {
    range = buffers.at(node.scratch);
  } else if (kept == KeptInL2::Output && !node.writes.empty()) {
    range = buffers.at(node.writes.front());
  }
  if (kept != KeptInL2::Nothing && range.bytes == 0) {
    throw Error(ErrorCode::InvalidArgument, std::string("asks for the L2 cache to keep its ") +
                                                (kept == KeptInL2::Scratch ? "scratch" : "output") +
                                                ", but has none");
  }
  return range;
}

const Tensor& OperatorCapture::input(const Receiver& port) const {
  return parts_.buffers.tensor(read_by(parts_.region, node(), port));
}

const TensorSpec& OperatorCapture::input_spec(const Receiver& port) const {
  return *parts_.region.tensors[read_by(parts_.region, node(), port)].spec;
}

Tensor& OperatorCapture::output(const Transmitter& port) const {
  return parts_.buffers.tensor(written_by(parts_.region, node(), port));
}

void* OperatorCapture::scratch() const { return parts_.buffers.at(node().scratch).begin; }

const void* OperatorCapture::parameters() const {
  return parts_.buffers.at(node().parameters_read).begin;
}

const std::uint64_t* OperatorCapture::iteration() const { return parts_.source.iteration_of(id_); }

void OperatorCapture::keep(std::shared_ptr<const void> object) {
  parts_.source.keep(std::move(object));
}

Doorbell OperatorCapture::doorbell() const {
  const auto& bells = parts_.program.doorbells;
  const auto found = std::ranges::find(bells, id_, &DeviceDoorbell::node);
  return found == bells.end()
             ? Doorbell{}
             : parts_.source.doorbell(static_cast<std::size_t>(found - bells.begin()));
}

const std::uint64_t* OperatorCapture::is_new(const Receiver& port) const {
  const DeviceProgram& program = parts_.program;
  const BufferId read = read_by(parts_.region, node(), port);
  const auto input = std::ranges::find(program.inputs, read);
  if (input != program.inputs.end()) {
    return parts_.source.is_new(static_cast<std::size_t>(input - program.inputs.begin()));
  }
  for (std::size_t i = 0; i < program.doorbells.size(); ++i) {
    const DeviceNode& rings = program.nodes[program.doorbells[i].node];
    if (std::ranges::find(rings.writes, read) != rings.writes.end()) {
      return parts_.source.is_new(program.inputs.size() + i);
    }
  }
  return nullptr;
}

}  // namespace gxr
