#include "iteration_layout.hpp"

#include <algorithm>
#include <cstddef>

#include "graph_layout.hpp"
#include "measured_records.hpp"

namespace gxr::cuda {
namespace {

/// A section of an iteration while it is laid into a graph.
class SectionLayout {
 public:
  SectionLayout(const LoopMaterial& material, const ControlNodes& control, cudaGraph_t main,
                cudaGraph_t graph, const Section& section, Stamps* stamps);
  /// Puts all but the last kernel into the graph. `begin` may be null.
  void lay(const GraphPiece* begin);
  /// Puts the last kernel behind all else.
  void end_by(const GraphPiece& end) const;
  [[nodiscard]] const GraphLayout& layout() const noexcept { return layout_; }

 private:
  void move_input(std::size_t input);
  [[nodiscard]] std::vector<bool> readers(std::size_t input) const;
  void lay_node(NodeId number);
  void add(NodeId number, const GraphPiece* first);
  [[nodiscard]] bool join_chosen_body() const;
  void join_ends_of_body(NodeId behind) const;
  void find_last();
  void move_output(std::size_t output);
  [[nodiscard]] std::vector<bool> writers(std::size_t output) const;

  const LoopNodes& nodes_;
  const LoopMemory& memory_;
  const ControlNodes& control_;
  cudaGraph_t graph_;
  const Section& section_;
  Stamps* stamps_;  // nullptr: it is not measured
  const GraphPiece* begin_ = nullptr;
  GraphLayout layout_;
  std::vector<NodeId> outermost_;                  // by node: the one in no body that has it
  std::vector<std::vector<GraphPiece>> moved_in_;  // by node: copies of inputs in front of it
  std::vector<bool> is_last_;                      // by node: only the last kernel follows it
  std::vector<GraphPiece> last_;                   // all that only the last kernel follows
};

SectionLayout::SectionLayout(const LoopMaterial& material, const ControlNodes& control,
                             cudaGraph_t main, cudaGraph_t graph, const Section& section,
                             Stamps* stamps)
    : nodes_(material.nodes),
      memory_(material.memory),
      control_(control),
      graph_(graph),
      section_(section),
      stamps_(stamps),
      layout_(main, graph, control.piece_options()),
      outermost_(nodes_.size()),
      moved_in_(nodes_.size()),
      is_last_(nodes_.size()) {
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    const DeviceBody& body = section_.bodies[i];
    outermost_[i] = body.is_iteration() ? i : outermost_[body.branch];
  }
}

void SectionLayout::lay(const GraphPiece* begin) {
  begin_ = begin;
  for (std::size_t input = 0; section_.takes_inputs && input < memory_.inputs().size(); ++input) {
    if (!memory_.inputs()[input].is_small) {
      move_input(input);
    }
  }
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    if (section_.has[i]) {
      lay_node(i);
    } else {
      layout_.note({}, {}, {});
    }
  }
  layout_.close();
  find_last();
  for (std::size_t output = 0; section_.gives_outputs && output < memory_.outputs().size();
       ++output) {
    if (!memory_.outputs()[output].is_small) {
      move_output(output);
    }
  }
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    if (is_last_[i]) {
      last_.push_back(layout_.piece(i));
    }
  }
  if (last_.empty() && begin_ != nullptr) {
    last_.push_back(*begin_);  // nothing stands between them
  }
}

void SectionLayout::end_by(const GraphPiece& end) const {
  for (const GraphPiece& piece : last_) {
    join_pieces(graph_, piece, end);
  }
}

/// Copies a large input in front of all nodes that read it.
void SectionLayout::move_input(std::size_t input) {
  const GraphPiece moved = control_.add_input(graph_, input);
  if (begin_ != nullptr) {
    join_pieces(graph_, *begin_, moved);
  }
  const std::vector<bool> reads = readers(input);
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    if (reads[i]) {
      moved_in_[i].push_back(moved);
    }
  }
  if (std::ranges::find(reads, true) == reads.end()) {
    last_.push_back(moved);
  }
}

/// By node in no body: is it, or has it in a body, a reader?
std::vector<bool> SectionLayout::readers(std::size_t input) const {
  std::vector<bool> reads(nodes_.size());
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    const std::vector<std::size_t>& read = nodes_[i].node.inputs;
    if (section_.has[i] && std::ranges::find(read, input) != read.end()) {
      reads[outermost_[i]] = true;
    }
  }
  return reads;
}

/// Puts a node behind those of lower numbers, the copies of its inputs, and, if it is in no body
/// and follows nothing, the begin.
void SectionLayout::lay_node(NodeId number) {
  const DeviceBody& body = section_.bodies[number];
  const std::vector<GraphPiece>& before = moved_in_[number];
  const GraphPiece* first = before.empty() ? begin_ : nullptr;
  if (!body.is_iteration()) {
    first = stamps_ == nullptr ? nullptr : &stamps_->begin(body);
  }
  add(number, first);
  for (const GraphPiece& moved : before) {
    join_pieces(layout_.graph_of(body), moved, layout_.piece(number));
  }
  if (stamps_ != nullptr) {
    stamps_->add_behind(layout_, number);
  }
}

/// Puts it behind those of lower numbers, or, if there are none, behind `first`, which may be null.
void SectionLayout::add(NodeId number, const GraphPiece* first) {
  const LoopNode& node = nodes_[number];
  const DeviceBody& body = section_.bodies[number];
  std::vector<NodeId> after = node.node.after;
  std::erase_if(after, [&](NodeId each) { return !section_.has[each]; });
  if (node.is_branch()) {
    // Stamps behind nodes would tell times of a body that is off, too.
    layout_.add_branch(node.branch(), after, body, first,
                       stamps_ == nullptr ? node.choosing : Choosing::Conditional);
  } else {
    layout_.add(place_node(node, layout_.graph_of(body), control_.piece_options()), after, body,
                first);
  }
}

/// Puts the nodes behind the branch that decides on this graph behind the ends of its body. False:
/// there are none.
bool SectionLayout::join_chosen_body() const {
  if (section_.chosen_by == kNoNode) {
    return false;
  }
  bool any = false;
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    const std::vector<NodeId>& after = nodes_[i].node.after;
    if (section_.has[i] && std::ranges::find(after, section_.chosen_by) != after.end()) {
      any = true;
      join_ends_of_body(i);
    }
  }
  return any;
}

void SectionLayout::join_ends_of_body(NodeId behind) const {
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    if (section_.has[i] && nodes_[i].node.body.branch == section_.chosen_by &&
        !layout_.is_followed(i)) {
      join_pieces(graph_, layout_.piece(i), layout_.piece(behind));
    }
  }
}

void SectionLayout::find_last() {
  const bool body_is_followed = join_chosen_body();
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    const bool is_followed = layout_.is_followed(i) ||
                             (body_is_followed && nodes_[i].node.body.branch == section_.chosen_by);
    is_last_[i] = section_.has[i] && section_.bodies[i].is_iteration() && !is_followed;
  }
}

/// Copies a large output behind all nodes that write it.
void SectionLayout::move_output(std::size_t output) {
  const std::vector<bool> writes = writers(output);
  last_.push_back(control_.add_output(graph_, output));
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    if (writes[i]) {
      join_pieces(graph_, layout_.piece(i), last_.back());
      is_last_[i] = false;
    }
  }
}

/// By node in no body: is it, or has it in a body, a writer? Nodes in bodies of a branch, of which
/// several may write, are done when the branch is.
std::vector<bool> SectionLayout::writers(std::size_t output) const {
  std::vector<bool> writes(nodes_.size());
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    const std::vector<std::size_t>& written = nodes_[i].node.outputs;
    if (std::ranges::find(written, output) != written.end()) {
      writes[outermost_[i]] = true;
    }
  }
  return writes;
}

/// Is a node in a launched body, or such a branch, or does it copy for one?
bool stands_aside(const LoopNodes& nodes, const LaunchedBodies& launched, NodeId number) {
  const DeviceNode& node = nodes[number].node;
  return launched.has(number) || launched.has(node.body.branch) || launched.has(node.crosses);
}

}  // namespace

Section whole_iteration(const LoopNodes& nodes, const LaunchedBodies& launched) {
  Section whole;
  for (NodeId i = 0; i < nodes.size(); ++i) {
    whole.has.push_back(!nodes[i].node.polls && !stands_aside(nodes, launched, i));
    whole.bodies.push_back(nodes[i].node.body);
  }
  return whole;
}

IterationLayout::IterationLayout(const LoopMaterial& material, const ControlNodes& control,
                                 LoopGraphs& graphs)
    : material_(material),
      control_(control),
      graphs_(graphs),
      whole_(whole_iteration(material.nodes, material.launched)) {}

GraphPiece IterationLayout::lay(cudaGraph_t graph, const GraphPiece* begin, LoopRole end) const {
  return lay(
      graph, begin, whole_, [&](cudaGraph_t to) { return control_.add(to, end); }, nullptr);
}

GraphPiece IterationLayout::lay_measured(cudaGraph_t graph, LoopRole end) const {
  Stamps stamps(*material_.records, &material_.memory.state()->done, control_.piece_options(),
                graph);
  const auto add_end = [&](cudaGraph_t to) { return control_.add(to, end); };
  return lay(graph, &stamps.begin({}), whole_, add_end, &stamps);
}

GraphPiece IterationLayout::lay(cudaGraph_t graph, const GraphPiece* begin, const Section& section,
                                const std::function<GraphPiece(cudaGraph_t)>& add_end) const {
  return lay(graph, begin, section, add_end, nullptr);
}

GraphPiece IterationLayout::lay(cudaGraph_t graph, const GraphPiece* begin, const Section& section,
                                const std::function<GraphPiece(cudaGraph_t)>& add_end,
                                Stamps* stamps) const {
  SectionLayout laid(material_, control_, graphs_.main(), graph, section, stamps);
  laid.lay(begin);
  GraphPiece end = add_end(graph);
  laid.end_by(end);
  graphs_.note(laid.layout());
  return end;
}

}  // namespace gxr::cuda
