#include "device/program_edits.hpp"

#include <string>

namespace gxr {
namespace {

/// Without the parts that other edits than Edit::Program change.
DeviceNode without_edits(DeviceNode node) {
  node.enabled = true;
  node.revision = 0;
  // Memory was taken for so many.
  node.parameters.assign(node.parameters.size(), std::byte{0});
  return node;
}

DeviceProgram without_edits(DeviceProgram program) {
  for (DeviceNode& node : program.nodes) {
    node = without_edits(std::move(node));
  }
  return program;
}

/// Without what follows from the shapes of tensors, too.
DeviceProgram without_shapes(DeviceProgram program) {
  for (DeviceNode& node : program.nodes) {
    node.parameters.clear();
    node.branch.type = {};
  }
  for (DeviceBuffer& buffer : program.buffers) {
    buffer.bytes.reset();
    buffer.offset = 0;
    buffer.tensor.clear();
  }
  program.arena_bytes = 0;
  return program;
}

std::vector<ProgramEdit> shape_edits(const DeviceProgram& before, const DeviceProgram& after) {
  using Edit = ProgramEdit::Kind;
  std::vector<ProgramEdit> edits;
  for (BufferId id = 0; id < after.buffers.size(); ++id) {
    const DeviceBuffer& was = before.buffers[id];
    const DeviceBuffer& is = after.buffers[id];
    if (was.bytes != is.bytes || was.tensor != is.tensor) {
      edits.push_back({Edit::Shape, kNoNode, id});
    }
  }
  for (NodeId id = 0; id < after.nodes.size(); ++id) {
    if (before.nodes[id].enabled != after.nodes[id].enabled) {
      edits.push_back({after.nodes[id].enabled ? Edit::On : Edit::Off, id});
    }
  }
  return edits;
}

}  // namespace

std::vector<ProgramEdit> edits_between(const DeviceProgram& before, const DeviceProgram& after) {
  using Edit = ProgramEdit::Kind;
  const DeviceProgram was_apart = without_edits(before);
  const DeviceProgram is_apart = without_edits(after);
  if (!(was_apart == is_apart)) {
    if (without_shapes(was_apart) == without_shapes(is_apart)) {
      return shape_edits(before, after);
    }
    return {{Edit::Program, kNoNode}};
  }
  std::vector<ProgramEdit> edits;
  for (NodeId id = 0; id < after.nodes.size(); ++id) {
    const DeviceNode& was = before.nodes[id];
    const DeviceNode& is = after.nodes[id];
    if (was.enabled != is.enabled) {
      edits.push_back({is.enabled ? Edit::On : Edit::Off, id});
    }
    if (was.revision != is.revision) {
      edits.push_back({Edit::Capture, id});
    }
    if (was.parameters != is.parameters) {
      edits.push_back({Edit::Parameters, id});
    }
  }
  return edits;
}

std::string to_text(EditCost cost) {
  constexpr const char* kTexts[] = {"nothing",       "device memory written", "CUDA nodes updated",
                                    "graph updated", "graph instantiated",    "loop restarted"};
  return kTexts[static_cast<std::size_t>(cost)];
}

std::string to_text(const ProgramEdit& edit) {
  const std::string node = "node " + std::to_string(edit.node);
  switch (edit.kind) {
    case ProgramEdit::Kind::Parameters:
      return "parameters of " + node;
    case ProgramEdit::Kind::Capture:
      return "capture of " + node;
    case ProgramEdit::Kind::Off:
      return node + " off";
    case ProgramEdit::Kind::On:
      return node + " on";
    case ProgramEdit::Kind::Shape:
      return "shape of buffer " + std::to_string(edit.buffer);
    case ProgramEdit::Kind::Program:
      break;
  }
  return "another program";
}

}  // namespace gxr
