#include "control_nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gxr::cuda {
namespace {

constexpr unsigned kMoveThreads = 512;

/// Of the ports that the control kernels copy.
std::uint64_t small_bytes(const std::vector<LoopPort>& ports) {
  std::uint64_t sum = 0;
  for (const LoopPort& port : ports) {
    sum += port.is_small ? port.port.bytes : 0;
  }
  return sum;
}

}  // namespace

ControlNodes::ControlNodes(const LoopMaterial& material, const LoopTable& table,
                           const LoopHandles& handles, bool by_kernels)
    : memory_(material.memory),
      table_(table),
      handles_(handles),
      piece_options_(material.piece_options) {
  piece_options_.by_kernels = by_kernels;
}

GraphPiece ControlNodes::add(cudaGraph_t graph, LoopRole role) const {
  const std::uint64_t bytes =
      std::max(small_bytes(memory_.inputs()), small_bytes(memory_.outputs()));
  const auto threads = static_cast<unsigned>(
      bytes == 0 ? 32
                 : std::clamp<std::uint64_t>((bytes / sizeof(uint4) + 31) / 32 * 32, 64, 1024));
  LoopTable table = table_;
  LoopHandles handles = handles_;
  void* arguments[] = {&table, &handles};
  const bool launches = piece_options_.by_kernels && role != LoopRole::Next;
  return add_kernel(graph, control_kernel(role, memory_.takes_any(), launches), 1, threads,
                    arguments, piece_options_);
}

GraphPiece ControlNodes::add_input(cudaGraph_t graph, std::size_t input) const {
  LoopMove move{};
  if (memory_.takes_any()) {
    move.taken = table_.taken + input;
    move.is_new = table_.is_new + input;
  }
  move.placed = memory_.inputs()[input].placed;
  return add_move(graph, memory_.inputs()[input], true, move);
}

GraphPiece ControlNodes::add_output(cudaGraph_t graph, std::size_t output) const {
  return add_move(graph, memory_.outputs()[output], false, {});
}

/// `move`: has the words of an input, which outputs do not have.
GraphPiece ControlNodes::add_move(cudaGraph_t graph, const LoopPort& port, bool into_tensor,
                                  LoopMove move) const {
  constexpr std::size_t kBytesOfBlock = kMoveThreads * sizeof(uint4) * 4;
  constexpr std::size_t kMostBlocks = 264;  // two for each SM of an H200
  move.state = memory_.state();
  move.slots = port.slots;
  move.tensor = static_cast<std::byte*>(port.port.tensor);
  move.bytes = port.port.bytes;
  move.stride = port.stride;
  move.slot_count = table_.slots;
  void* arguments[] = {&move};
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::size_t>(port.port.bytes / kBytesOfBlock, 1, kMostBlocks));
  return add_kernel(graph, move_kernel(into_tensor), blocks, kMoveThreads, arguments,
                    piece_options_);
}

}  // namespace gxr::cuda
