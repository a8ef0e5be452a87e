#include "fake_graph.hpp"

#include <fstream>

#include "gxr/error.hpp"

namespace gxr::fake {

NodeId FakeGraph::add(const CapturedWork& work, const DeviceNode& node,
                      const DeviceRange& /*l2_range*/) {
  return nodes_.add(work, node);
}

void FakeGraph::count_launches(std::uint64_t* counter, std::uint64_t next) {
  counter_ = counter;
  next_ = next;
}

void FakeGraph::launch(CUstream_st* stream) {
  if (now_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "a graph was launched before its instantiate()");
  }
  stream->stream->push([nodes = now_, counter = counter_, number = next_++, measures = measures_] {
    if (counter != nullptr) {
      *counter = number;
    }
    static_cast<void>(measures->run(*nodes, number));
  });
}

void FakeGraph::write_dot(const std::string& file) const {
  std::ofstream(file) << "digraph fake {}\n";
}

void FakeGraph::replace(NodeId node, const CapturedWork& work) {
  const std::size_t before = nodes_.parts().at(node).kernels->size();
  nodes_.replace(node, work);
  const FakeNodes::Part& part = nodes_.parts()[node];
  instantiates_ = instantiates_ || part.kernels->size() != before || !part.node.body.is_iteration();
}

void FakeGraph::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  nodes_.replace_by_copy(node, copy);
  instantiates_ = true;
}

EditCost FakeGraph::update(const DeviceWork& /*launched*/) {
  const EditCost cost = instantiates_ ? EditCost::Instantiation : EditCost::NodeUpdate;
  ++(instantiates_ ? updates_.instantiations : updates_.nodes);
  instantiates_ = false;
  instantiate();
  return cost;
}

void FakeGraph::enable(NodeId node, bool on) {
  FakeNodes::Part& part = nodes_.parts().at(node);
  if (!part.node.body.is_iteration()) {
    throw Error(ErrorCode::NotSupported, "nodes in a branch body are not switched off");
  }
  part.enabled = on;
  instantiate();
}

}  // namespace gxr::fake
