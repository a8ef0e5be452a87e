// The graph of a loop: control kernels, copies of tensors and the operators' pieces, and how they
// follow each other.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda_call.hpp"
#include "loop.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kMoveThreads = 512;

cudaGraphConditionalHandle make_handle(cudaGraph_t graph, unsigned initial) {
  cudaGraphConditionalHandle handle{};
  cuda_check("cudaGraphConditionalHandleCreate",
             cudaGraphConditionalHandleCreate(&handle, graph, initial, cudaGraphCondAssignDefault));
  return handle;
}

/// Adds a WHILE node behind `after`, and returns its body.
cudaGraph_t add_while(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                      cudaGraphConditionalHandle handle, cudaGraphNode_t& node) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cuda_check("cudaGraphAddNode",
             cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
  return params.conditional.phGraph_out[0];
}

std::uint64_t sum_of(const auto& ports) {
  std::uint64_t sum = 0;
  for (const auto& port : ports) {
    sum += port.is_small ? port.port.bytes : 0;
  }
  return sum;
}

}  // namespace

GraphPiece RuntimeLoop::add_kernel(cudaGraph_t graph, const void* kernel, unsigned blocks,
                                   unsigned threads, void** arguments) const {
  cudaKernelNodeParams params{};
  params.func = const_cast<void*>(kernel);
  params.gridDim = dim3(blocks);
  params.blockDim = dim3(threads);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cuda_check("cudaGraphAddKernelNode", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  set_priority(node, options_.priority);
  set_memory_sync_domain(node, options_.memory_sync_domain);
  return {{node}, {node}, programmatic_edges_, 1};
}

GraphPiece RuntimeLoop::add_control(cudaGraph_t graph, LoopRole role) const {
  const std::uint64_t bytes = std::max(sum_of(inputs_), sum_of(outputs_));
  const auto threads = static_cast<unsigned>(
      bytes == 0 ? 32
                 : std::clamp<std::uint64_t>((bytes / sizeof(uint4) + 31) / 32 * 32, 64, 1024));
  LoopTable table = table_;
  LoopHandles handles = handles_;
  void* arguments[] = {&table, &handles};
  return add_kernel(graph, control_kernel(role, takes_any()), 1, threads, arguments);
}

GraphPiece RuntimeLoop::add_input(cudaGraph_t graph, std::size_t input) const {
  LoopMove move{};
  if (takes_any()) {
    move.taken = table_.taken + input;
    move.is_new = table_.is_new + input;
  }
  return add_move(graph, inputs_[input], true, move);
}

GraphPiece RuntimeLoop::add_output(cudaGraph_t graph, std::size_t output) const {
  return add_move(graph, outputs_[output], false, {});
}

GraphPiece RuntimeLoop::add_part(cudaGraph_t graph, const Part& part) const {
  return copy_piece(part.captured.get(), graph,
                    {part.piece.traits, part.piece.kept_in_l2, options_.device, programmatic_edges_,
                     options_.memory_sync_domain});
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
  return add_kernel(graph, move_kernel(into_tensor), blocks, kMoveThreads, arguments);
}

/// One iteration, which may begin when `begin` ends; null: at once. Returns the kernel that ends
/// it.
GraphPiece RuntimeLoop::lay_iteration(cudaGraph_t graph, const GraphPiece* begin,
                                      LoopRole end) const {
  std::vector<GraphPiece> last;  // what nothing but the end follows
  std::vector<GraphPiece> moved_in(inputs_.size());
  std::vector<bool> read(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_small) {
      moved_in[i] = add_input(graph, i);
      if (begin != nullptr) {
        join_pieces(graph, *begin, moved_in[i]);
      }
    }
  }
  std::vector<GraphPiece> placed;
  std::vector<bool> followed(parts_.size());
  for (const Part& part : parts_) {
    if (part.piece.looks) {
      placed.emplace_back();  // it ended before the iteration began
      continue;
    }
    GraphPiece piece = add_part(graph, part);
    bool waits = false;
    for (const std::size_t before : part.piece.after) {
      if (!parts_.at(before).piece.looks) {
        join_pieces(graph, placed.at(before), piece);
        followed[before] = true;
        waits = true;
      }
    }
    for (const std::size_t input : part.piece.inputs) {
      if (!inputs_.at(input).is_small) {
        join_pieces(graph, moved_in[input], piece);
        read[input] = true;
        waits = true;
      }
    }
    if (!waits && begin != nullptr) {
      join_pieces(graph, *begin, piece);
    }
    placed.push_back(std::move(piece));
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const std::size_t output : parts_[i].piece.outputs) {
      if (!outputs_.at(output).is_small) {
        last.push_back(add_output(graph, output));
        join_pieces(graph, placed[i], last.back());
        followed[i] = true;
      }
    }
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!followed[i] && !parts_[i].piece.looks) {
      last.push_back(placed[i]);
    }
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_small && !read[i]) {
      last.push_back(moved_in[i]);
    }
  }
  GraphPiece control = add_control(graph, end);
  for (const GraphPiece& piece : last) {
    join_pieces(graph, piece, control);
  }
  return control;
}

/// A look for input, when `begin` ends; null: at once. Returns the kernel that decides.
GraphPiece RuntimeLoop::lay_look(cudaGraph_t graph, const GraphPiece* begin) const {
  std::vector<GraphPiece> placed;
  std::vector<bool> followed(parts_.size());
  for (const Part& part : parts_) {
    GraphPiece& piece = placed.emplace_back();
    if (!part.piece.looks) {
      continue;
    }
    piece = add_part(graph, part);
    for (const std::size_t before : part.piece.after) {
      join_pieces(graph, placed.at(before), piece);
      followed[before] = true;
    }
    if (part.piece.after.empty() && begin != nullptr) {
      join_pieces(graph, *begin, piece);
    }
  }
  GraphPiece look = add_control(graph, LoopRole::Look);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].piece.looks && !followed[i]) {
      join_pieces(graph, placed[i], look);
    }
  }
  return look;
}

void RuntimeLoop::lay_looking_loop(cudaGraph_t body) {
  const GraphPiece look = lay_look(body, nullptr);
  cudaGraphNode_t iterations = nullptr;
  cudaGraph_t const inner = add_body(body, look.last, handles_.one, iterations);
  const GraphPiece end = lay_iteration(inner, nullptr, LoopRole::Close);
  lay_look(inner, &end);
}

cudaGraph_t RuntimeLoop::add_body(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                  cudaGraphConditionalHandle handle, cudaGraphNode_t& node) {
  return graphs_.emplace_back(add_while(graph, after, handle, node));
}

void RuntimeLoop::lay_loop(cudaGraph_t graph) {
  const bool unrolled = table_.unroll > 1;
  handles_.all = make_handle(graph, 1);
  if (unrolled) {
    handles_.many = make_handle(graph, 0);
  }
  if (unrolled || looks()) {
    handles_.one = make_handle(graph, 0);
  }
  cudaGraphNode_t loop = nullptr;
  if (looks()) {
    lay_looking_loop(add_body(graph, {}, handles_.all, loop));
    return;
  }
  if (options_.loop == GraphLoop::HeadTail) {
    cudaGraph_t const body = add_body(graph, {}, handles_.all, loop);
    const GraphPiece head = add_control(body, LoopRole::Head);
    lay_iteration(body, &head, LoopRole::Tail);
    return;
  }
  const GraphPiece first = add_control(graph, LoopRole::First);
  cudaGraph_t const body = add_body(graph, first.last, handles_.all, loop);
  if (!unrolled) {
    lay_iteration(body, nullptr, LoopRole::End);
    return;
  }
  cudaGraphNode_t many = nullptr;
  cudaGraph_t const round = add_body(body, {}, handles_.many, many);
  GraphPiece before = lay_iteration(round, nullptr, LoopRole::Next);
  for (std::uint32_t i = 2; i < options_.unroll; ++i) {
    before = lay_iteration(round, &before, LoopRole::Next);
  }
  lay_iteration(round, &before, LoopRole::End);
  cudaGraphNode_t one = nullptr;
  lay_iteration(add_body(body, {many}, handles_.one, one), nullptr, LoopRole::End);
}

}  // namespace gxr::cuda
