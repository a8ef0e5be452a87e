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

}  // namespace

std::vector<ProgramEdit> edits_between(const DeviceProgram& before, const DeviceProgram& after) {
  using Edit = ProgramEdit::Kind;
  if (!(without_edits(before) == without_edits(after))) {
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
    case ProgramEdit::Kind::Program:
      break;
  }
  return "another program";
}

}  // namespace gxr
