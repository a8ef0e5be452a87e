// The graph of a loop: control kernels, copies of tensors and the operators' pieces, and how they
// follow each other.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "cuda_call.hpp"
#include "graph_nodes.hpp"
#include "loop.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kMoveThreads = 512;

std::uint64_t sum_of(const auto& ports) {
  std::uint64_t sum = 0;
  for (const auto& port : ports) {
    sum += port.is_small ? port.port.bytes : 0;
  }
  return sum;
}

}  // namespace

/// Of kernels that are none of the operators'.
PieceAttributes RuntimeLoop::own_attributes() const {
  PieceAttributes attributes;
  attributes.traits.priority = options_.priority;
  attributes.device = options_.device;
  attributes.programmatic_edges = programmatic_edges_;
  attributes.memory_sync_domain = options_.memory_sync_domain;
  attributes.by_kernels = launches_itself();
  return attributes;
}

GraphPiece RuntimeLoop::add_control(cudaGraph_t graph, LoopRole role) const {
  const std::uint64_t bytes = std::max(sum_of(inputs_), sum_of(outputs_));
  const auto threads = static_cast<unsigned>(
      bytes == 0 ? 32
                 : std::clamp<std::uint64_t>((bytes / sizeof(uint4) + 31) / 32 * 32, 64, 1024));
  LoopTable table = table_;
  LoopHandles handles = handles_;
  void* arguments[] = {&table, &handles};
  const bool launches = launches_itself() && role != LoopRole::Next;
  return add_kernel(graph, control_kernel(role, takes_any(), launches), 1, threads, arguments,
                    own_attributes());
}

GraphPiece RuntimeLoop::add_input(cudaGraph_t graph, std::size_t input) const {
  LoopMove move{};
  if (takes_any()) {
    move.taken = table_.taken + input;
    move.is_new = table_.is_new + input;
  }
  move.placed = inputs_[input].placed;
  return add_move(graph, inputs_[input], true, move);
}

GraphPiece RuntimeLoop::add_output(cudaGraph_t graph, std::size_t output) const {
  return add_move(graph, outputs_[output], false, {});
}

PieceAttributes RuntimeLoop::attributes_of(const Part& part) const {
  PieceAttributes attributes = own_attributes();
  attributes.traits = part.node.traits;
  attributes.kept_in_l2 = part.kept_in_l2;
  return attributes;
}

GraphPiece RuntimeLoop::add_part(cudaGraph_t graph, const Part& part) const {
  return copy_piece(part.captured.get(), graph, attributes_of(part));
}

/// `move`: what is of the input alone.
GraphPiece RuntimeLoop::add_move(cudaGraph_t graph, const Port& port, bool into_tensor,
                                 LoopMove move) const {
  constexpr std::size_t kBytesOfBlock = kMoveThreads * sizeof(uint4) * 4;
  constexpr std::size_t kMostBlocks = 264;  // two for each SM of an H200
  move.state = state();
  move.slots = port.slots;
  move.tensor = static_cast<std::byte*>(port.port.tensor);
  move.bytes = port.port.bytes;
  move.stride = port.stride;
  move.slot_count = options_.slots;
  void* arguments[] = {&move};
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::size_t>(port.port.bytes / kBytesOfBlock, 1, kMostBlocks));
  return add_kernel(graph, move_kernel(into_tensor), blocks, kMoveThreads, arguments,
                    own_attributes());
}

std::vector<BodyPiece> RuntimeLoop::in_bodies_of(std::size_t branch) const {
  std::vector<BodyPiece> pieces;
  for (const Part& part : parts_) {
    if (part.node.body.branch == branch) {
      pieces.push_back({part.node.body.number, part.captured.get(), attributes_of(part)});
    }
  }
  return pieces;
}

/// May the bodies of a branch be switched? Only in the graph of an iteration: what a conditional
/// node does with such kernels in its body is not known.
bool RuntimeLoop::can_switch(std::size_t number) const {
  const Part& branch = parts_[number];
  return !launches_itself() && branch.is_branch() && branch.node.branch.kind != BranchKind::While &&
         branch.node.body.is_iteration() &&
         cuda::can_switch(branch.node.branch.bodies, in_bodies_of(number));
}

/// Puts a node into an iteration, behind those of lower numbers, `before`, and, if it is in no
/// branch and follows nothing, `begin`, which may be null.
void RuntimeLoop::lay_part(GraphLayout& layout, std::size_t number,
                           const std::vector<GraphPiece>& before, const GraphPiece* begin,
                           Stamps* stamps, const Stage& stage) const {
  const Part& part = parts_[number];
  const DeviceBody body = body_in_graph(number);
  std::vector<std::size_t> after = part.node.after;
  std::erase_if(after, [&](std::size_t each) { return !is_in(stage, each); });
  const GraphPiece* first = before.empty() ? begin : nullptr;
  if (!body.is_iteration()) {
    first = stamps == nullptr ? nullptr : &stamps->begin(body);
  }
  if (part.is_branch()) {
    // What is measured has stamps behind its pieces, which would tell of a body that is off.
    layout.add_branch(part.branch(), after, body, first,
                      stamps == nullptr ? part.choosing : Choosing::Conditional);
  } else {
    layout.add(add_part(layout.graph_of(body), part), after, body, first);
  }
  for (const GraphPiece& moved : before) {
    join_pieces(layout.graph_of(body), moved, layout.piece(number));
  }
  if (stamps != nullptr) {
    stamps->add_behind(layout, number);
  }
}

/// One iteration, or one of its graphs, which may begin when `begin` ends; null: at once. Returns
/// the kernel that ends it.
GraphPiece RuntimeLoop::lay_iteration(cudaGraph_t graph, const GraphPiece* begin, LoopRole end,
                                      const Stage& stage) {
  const bool is_first = stage.number == 0;
  const bool is_whole_or_last = stage.number == dividing_.size();
  GraphLayout layout(graph_.get(), graph, own_attributes());
  std::optional<Stamps> stamps;
  // The only iteration of a loop that polls is measured always, or never.
  if (end == LoopRole::Measured || (end == LoopRole::Close && records_)) {
    stamps.emplace(records_.value(), iteration(), own_attributes(), graph);
    begin = &stamps->begin({});
  }
  std::vector<std::size_t> outermost(parts_.size());  // of each part, what has it
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const DeviceBody body = body_in_graph(i);
    outermost[i] = body.is_iteration() ? i : outermost[body.branch];
  }
  // Copies of large inputs, in front of all that has a reader.
  std::vector<std::vector<GraphPiece>> moved_in(parts_.size());
  std::vector<GraphPiece> last;  // what nothing but the end follows
  for (std::size_t input = 0; input < inputs_.size(); ++input) {
    if (inputs_[input].is_small || !is_first) {
      continue;
    }
    const GraphPiece moved = add_input(graph, input);
    if (begin != nullptr) {
      join_pieces(graph, *begin, moved);
    }
    std::vector<bool> reads(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::vector<std::size_t>& read = parts_[i].node.inputs;
      if (is_in(stage, i) && std::ranges::find(read, input) != read.end() && !reads[outermost[i]]) {
        reads[outermost[i]] = true;
        moved_in[outermost[i]].push_back(moved);
      }
    }
    if (std::ranges::find(reads, true) == reads.end()) {
      last.push_back(moved);
    }
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (is_in(stage, i)) {
      lay_part(layout, i, moved_in[i], begin, stamps ? &*stamps : nullptr, stage);
    } else {
      layout.note({}, {}, {});
    }
  }
  layout.close();
  const bool body_is_followed = join_body(layout, graph, stage);
  std::vector<bool> is_last(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool is_followed =
        layout.is_followed(i) || (body_is_followed && dividing(parts_[i].node.body.branch));
    is_last[i] = is_in(stage, i) && body_in_graph(i).is_iteration() && !is_followed;
  }
  for (std::size_t output = 0; output < outputs_.size(); ++output) {
    if (outputs_[output].is_small || !is_whole_or_last) {
      continue;
    }
    // What is in bodies of a branch, of which several may write it, is done when the branch is.
    std::vector<bool> writes(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::vector<std::size_t>& written = parts_[i].node.outputs;
      writes[outermost[i]] =
          writes[outermost[i]] || std::ranges::find(written, output) != written.end();
    }
    last.push_back(add_output(graph, output));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (writes[i]) {
        join_pieces(graph, layout.piece(i), last.back());
        is_last[i] = false;
      }
    }
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (is_last[i]) {
      last.push_back(layout.piece(i));
    }
  }
  GraphPiece control = add_end(graph, end, stage);
  if (last.empty() && begin != nullptr) {
    last.push_back(*begin);  // nothing stands between them
  }
  for (const GraphPiece& piece : last) {
    join_pieces(graph, piece, control);
  }
  graphs_.insert(graphs_.end(), layout.bodies().begin(), layout.bodies().end());
  switched_branches_.insert(switched_branches_.end(), layout.switched().begin(),
                            layout.switched().end());
  return control;
}

/// A poll for input, when `begin` ends; null: at once. Returns the kernel that decides.
GraphPiece RuntimeLoop::lay_poll(cudaGraph_t graph, const GraphPiece* begin) const {
  std::vector<GraphPiece> placed;
  std::vector<bool> followed(parts_.size());
  for (const Part& part : parts_) {
    GraphPiece& piece = placed.emplace_back();
    if (!part.node.polls) {
      continue;
    }
    piece = add_part(graph, part);
    for (const std::size_t before : part.node.after) {
      join_pieces(graph, placed.at(before), piece);
      followed[before] = true;
    }
    if (part.node.after.empty() && begin != nullptr) {
      join_pieces(graph, *begin, piece);
    }
  }
  GraphPiece poll = add_control(graph, LoopRole::Poll);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].node.polls && !followed[i]) {
      join_pieces(graph, placed[i], poll);
    }
  }
  return poll;
}

void RuntimeLoop::lay_polling_loop(cudaGraph_t body) {
  const GraphPiece poll = lay_poll(body, nullptr);
  cudaGraphNode_t iterations = nullptr;
  cudaGraph_t const inner = add_body(body, poll.last, handles_.one, iterations);
  const GraphPiece end = lay_iteration(inner, nullptr, LoopRole::Close);
  lay_poll(inner, &end);
}

cudaGraph_t RuntimeLoop::add_body(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                  cudaGraphConditionalHandle handle, cudaGraphNode_t& node) {
  ConditionalNode added = add_conditional(graph, after, handle, cudaGraphCondTypeWhile, 1);
  node = added.node;
  return graphs_.emplace_back(added.bodies.front());
}

/// Iterations in a round of pieces as they are captured now.
std::uint32_t RuntimeLoop::iterations_in_round() const {
  if (options_.loop != GraphLoop::ControlAtEnd || polls() || takes_any()) {
    return 1;
  }
  std::size_t nodes = 0;
  for (const Part& part : parts_) {
    nodes += part.is_branch() ? 1 : nodes_of(part.captured.get()).size();
  }
  if (options_.nodes_of_round == 0 || nodes == 0) {
    return options_.unroll;
  }
  const std::size_t most = std::max<std::size_t>(options_.nodes_of_round / nodes, 1);
  return static_cast<std::uint32_t>(std::min<std::size_t>(options_.unroll, most));
}

void RuntimeLoop::lay_loop(cudaGraph_t graph) {
  if (launches_itself()) {
    lay_iteration(graph, nullptr, LoopRole::End);
    lay_stages();
    return;
  }
  const bool unrolled = table_.unroll > 1;
  const bool measures = options_.instrument_every > 0;
  handles_.all = make_handle(graph, 1);
  // Before the first control kernel, since each gets all of them.
  if (unrolled) {
    handles_.many = make_handle(graph, 0);
  }
  if (unrolled && measures) {
    handles_.plain = make_handle(graph, 0);
  }
  if (unrolled || polls() || measures) {
    handles_.one = make_handle(graph, 0);
  }
  cudaGraphNode_t loop = nullptr;
  if (polls()) {
    lay_polling_loop(add_body(graph, {}, handles_.all, loop));
    return;
  }
  if (options_.loop == GraphLoop::HeadTail) {
    cudaGraph_t const body = add_body(graph, {}, handles_.all, loop);
    const GraphPiece head = add_control(body, LoopRole::Head);
    lay_iteration(body, &head, LoopRole::Tail);
    return;
  }
  const GraphPiece first = add_control(graph, LoopRole::First);
  cudaGraph_t body = add_body(graph, first.last, handles_.all, loop);
  std::vector<cudaGraphNode_t> before;
  if (measures) {
    before = lay_iteration(body, nullptr, LoopRole::Measured).last;
  }
  if (measures && unrolled) {
    body = add_body(body, before, handles_.plain, loop);
    before.clear();
  }
  if (unrolled) {
    cudaGraphNode_t many = nullptr;
    lay_round(add_body(body, before, handles_.many, many));
    before = {many};
  }
  if (measures || unrolled) {
    body = add_body(body, before, handles_.one, loop);
  }
  lay_iteration(body, nullptr, LoopRole::End);
}

/// As many iterations as the loop is unrolled to.
void RuntimeLoop::lay_round(cudaGraph_t round) {
  GraphPiece before = lay_iteration(round, nullptr, LoopRole::Next);
  for (std::uint32_t i = 2; i < table_.unroll; ++i) {
    before = lay_iteration(round, &before, LoopRole::Next);
  }
  lay_iteration(round, &before, LoopRole::End);
}

}  // namespace gxr::cuda
