#include "switched_bodies.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cuda_call.hpp"
#include "cuda_nodes.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kSwitchThreads = 32;

void set_switch(const SwitchedBranch& branch, BodySwitch bodies) {
  cudaKernelNodeParams params{};
  cuda_check("cudaGraphKernelNodeGetParams",
             cudaGraphKernelNodeGetParams(branch.switches, &params));
  Choice choice = branch.choice;
  void* arguments[] = {&choice, &bodies};
  params.kernelParams = arguments;
  params.extra = nullptr;
  cuda_check("cudaGraphKernelNodeSetParams",
             cudaGraphKernelNodeSetParams(branch.switches, &params));
}

/// How many kernels there are; nothing when it has other nodes, which cannot be switched.
std::optional<std::size_t> count_switchable(cudaGraph_t captured) {
  std::size_t kernels = 0;
  for (cudaGraphNode_t const node : nodes_of(captured)) {
    const cudaGraphNodeType type = type_of(node);
    if (type == cudaGraphNodeTypeKernel) {
      ++kernels;
    } else if (type != cudaGraphNodeTypeEmpty) {
      return std::nullopt;
    }
  }
  return kernels;
}

}  // namespace

std::optional<std::size_t> count_switched_off(std::uint32_t bodies,
                                              const std::vector<BodyPiece>& pieces) {
  std::vector<std::size_t> kernels(bodies);
  for (const BodyPiece& piece : pieces) {
    const auto of_piece =
        piece.captured == nullptr ? std::nullopt : count_switchable(piece.captured);
    if (!of_piece) {
      return std::nullopt;
    }
    kernels[piece.body] += *of_piece;
  }
  const std::size_t all = std::accumulate(kernels.begin(), kernels.end(), std::size_t{0});
  return kernels.size() == 1 ? all : all - *std::ranges::min_element(kernels);
}

bool can_switch(std::uint32_t bodies, const std::vector<BodyPiece>& pieces) {
  if (count_switched_off(bodies, pieces).value_or(kMostSwitchedOff + 1) > kMostSwitchedOff) {
    return false;
  }
  GraphHandle tried = make_graph();
  const bool takes = std::ranges::all_of(pieces, [&](const BodyPiece& piece) {
    return make_switchable(copy_piece(piece.captured, tried.get(), piece.piece_options).all)
        .has_value();
  });
  destroy_when_may_wait(tried);
  return takes;
}

std::optional<std::vector<cudaGraphDeviceNode_t>> make_switchable(
    const std::vector<cudaGraphNode_t>& nodes) {
  std::vector<cudaGraphDeviceNode_t> switchable;
  for (cudaGraphNode_t const node : nodes) {
    if (type_of(node) != cudaGraphNodeTypeKernel) {
      continue;
    }
    cudaLaunchAttributeValue value{};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    if (cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode,
                                        &value) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      return std::nullopt;
    }
    switchable.push_back(value.deviceUpdatableKernelNode.devNode);
  }
  return switchable;
}

GraphPiece add_switch(cudaGraph_t graph, const Choice& choice, const PieceOptions& piece_options) {
  Choice chosen = choice;
  BodySwitch bodies;
  void* arguments[] = {&chosen, &bodies};
  return add_kernel(graph, switch_kernel(), 1, kSwitchThreads, arguments, piece_options);
}

SwitchedBodies::SwitchedBodies(int device, const std::vector<SwitchedBranch>& branches,
                               const BodySwitch& failed, cudaStream_t stream) {
  std::vector<SwitchableKernel> kernels;
  for (const SwitchedBranch& branch : branches) {
    kernels.insert(kernels.end(), branch.kernels.begin(), branch.kernels.end());
  }
  const std::size_t words_at = kernels.size() * sizeof(SwitchableKernel);
  bytes_ = words_at + branches.size() * sizeof(std::uint64_t);
  memory_ = RuntimeMemory(bytes_, MemoryStorageType::Device, device);
  std::vector<std::byte> begin(bytes_);  // the words are 0
  std::memcpy(begin.data(), kernels.data(), words_at);
  // No kernel is needed for a copy: one that hangs does not hold it up.
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(memory_.get(), begin.data(), bytes_, cudaMemcpyHostToDevice, stream));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  BodySwitch bodies = failed;
  bodies.kernels = reinterpret_cast<const SwitchableKernel*>(memory_.get());
  bodies.on = reinterpret_cast<std::uint64_t*>(memory_.get() + words_at);
  for (const SwitchedBranch& branch : branches) {
    bodies.count = static_cast<std::uint32_t>(branch.kernels.size());
    set_switch(branch, bodies);
    bodies.kernels += bodies.count;
    ++bodies.on;
  }
}

}  // namespace gxr::cuda
