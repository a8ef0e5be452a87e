#include "device/device_program.hpp"

#include <algorithm>
#include <utility>

#include "device/trait_words.hpp"

namespace gxr {
namespace {

template <class Number>
std::string numbers(const char* word, const std::vector<Number>& all) {
  std::string text;
  for (const Number each : all) {
    text += (text.empty() ? std::string(", ") + word + " " : " ") + std::to_string(each);
  }
  return text;
}

class Text {
 public:
  explicit Text(const DeviceProgram& program) : program_(program) {}

  std::string make() {
    text_ = std::string(name_of(program_.options.mode)) + " on GPU " +
            std::to_string(program_.options.device) + "\n";
    add_nodes({}, 1);
    for (const DeviceDoorbell& bell : program_.doorbells) {
      text_ += "  node " + std::to_string(bell.node) + " rings";
      text_ += bell.source == kNoNode ? "\n" : " for node " + std::to_string(bell.source) + "\n";
    }
    text_ += "buffers";
    text_ += numbers("inputs", program_.inputs) + numbers("outputs", program_.outputs);
    text_ += program_.laid_out ? ", arena of " + std::to_string(program_.arena_bytes) + " bytes\n"
                               : ", not laid out\n";
    for (BufferId id = 0; id < program_.buffers.size(); ++id) {
      add_buffer(id);
    }
    return std::move(text_);
  }

 private:
  void add_nodes(const DeviceBody& body, std::size_t depth) {
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const DeviceNode& node = program_.nodes[id];
      if (!(node.body == body)) {
        continue;
      }
      text_ += std::string(2 * depth, ' ') + std::to_string(id) + " " + words_of(node) +
               numbers("after", node.after) + "\n";
      if (node.kind == DeviceNode::Kind::Branch) {
        for (std::uint32_t number = 0; number < node.branch.bodies; ++number) {
          text_ += std::string(2 * depth + 2, ' ') + body_name(node.branch.kind, number) + "\n";
          add_nodes({id, number}, depth + 2);
        }
      }
    }
  }

  static std::string words_of(const DeviceNode& node) {
    switch (node.kind) {
      case DeviceNode::Kind::Operator:
        return words_of_operator(node);
      case DeviceNode::Kind::Branch:
        return words_of(node.branch);
      case DeviceNode::Kind::Copy:
        break;
    }
    std::string text = "copies " + std::to_string(node.reads.front()) + " to " +
                       std::to_string(node.writes.front());
    return node.crosses == kNoNode ? text : text + ", across " + std::to_string(node.crosses);
  }

  static std::string words_of_operator(const DeviceNode& node) {
    std::string text = "step " + std::to_string(node.planned + 1);
    text += numbers("reads", node.reads) + numbers("writes", node.writes);
    for (const std::string& words : gxr::words_of(node.traits)) {
      text += ", " + words;
    }
    text += node.polls ? ", polls" : "";
    text += node.enabled ? "" : ", off";
    if (node.limit) {
      text += ", up to " + std::to_string(*node.limit) + " iterations";
    }
    if (node.scratch != kNoBuffer) {
      text += ", scratch " + std::to_string(node.scratch);
    }
    if (node.parameters_set != kNoBuffer) {
      text += ", parameters " + std::to_string(node.parameters_read);
    }
    if (node.revision > 0) {
      text += ", revision " + std::to_string(node.revision);
    }
    return text;
  }

  static std::string words_of(const DeviceBranch& branch) {
    std::string text = name_of(branch.kind);
    if (branch.kind == BranchKind::Every) {
      text += " " + std::to_string(branch.count) + " from " + std::to_string(branch.first);
      return branch.launch == BranchLaunch::InIteration ? text
                                                        : text + ", " + name_of(branch.launch);
    }
    text += " " + std::to_string(branch.selector);
    return branch.limit == 0 ? text : text + ", at most " + std::to_string(branch.limit) + " times";
  }

  void add_buffer(BufferId id) {
    const DeviceBuffer& buffer = program_.buffers[id];
    text_ += "  " + std::to_string(id) + ": " +
             (buffer.bytes ? std::to_string(*buffer.bytes) + " bytes" : std::string("?")) + ", " +
             place_of(buffer) + (buffer.lasts ? ", lasts" : "") + "\n";
  }

  [[nodiscard]] std::string place_of(const DeviceBuffer& buffer) const {
    switch (buffer.place) {
      case DeviceBuffer::Place::Own:
        return "a block of its own";
      case DeviceBuffer::Place::OfOperator:
        return "memory of an operator";
      case DeviceBuffer::Place::Same:
        return "where " + std::to_string(buffer.same_as) + " is";
      case DeviceBuffer::Place::Arena:
        break;
    }
    return program_.laid_out ? "at " + std::to_string(buffer.offset) : std::string("in the arena");
  }

  const DeviceProgram& program_;
  std::string text_;
};

}  // namespace

std::string body_name(BranchKind kind, std::uint32_t number) {
  switch (kind) {
    case BranchKind::If:
      return number == 0 ? "then" : "else";
    case BranchKind::While:
    case BranchKind::Every:
      return "body";
    case BranchKind::Switch:
      break;
  }
  return "case " + std::to_string(number);
}

NodeId launched_around(const DeviceProgram& program, NodeId id) {
  const std::vector<DeviceNode>& nodes = program.nodes;
  NodeId around = id == kNoNode ? kNoNode : nodes[id].body.branch;
  NodeId launched = kNoNode;
  for (; around != kNoNode; around = nodes[around].body.branch) {
    if (nodes[around].branch.launch != BranchLaunch::InIteration) {
      launched = around;
    }
  }
  return launched;
}

std::string to_text(const DeviceProgram& program) { return Text(program).make(); }

}  // namespace gxr
