#include "switched_lists.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cuda_call.hpp"
#include "graph_nodes.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kSwitchThreads = 32;

void set_switch(const SwitchedBranch& branch, ListSwitch lists) {
  cudaKernelNodeParams params{};
  cuda_check("cudaGraphKernelNodeGetParams",
             cudaGraphKernelNodeGetParams(branch.switches, &params));
  Choice choice = branch.choice;
  void* arguments[] = {&choice, &lists};
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

std::optional<std::size_t> count_switched_off(std::uint32_t lists,
                                              const std::vector<ListedPiece>& pieces) {
  std::vector<std::size_t> kernels(lists);
  for (const ListedPiece& piece : pieces) {
    const auto of_piece =
        piece.captured == nullptr ? std::nullopt : count_switchable(piece.captured);
    if (!of_piece) {
      return std::nullopt;
    }
    kernels[piece.list] += *of_piece;
  }
  const std::size_t all = std::accumulate(kernels.begin(), kernels.end(), std::size_t{0});
  return kernels.size() == 1 ? all : all - *std::ranges::min_element(kernels);
}

bool can_switch(std::uint32_t lists, const std::vector<ListedPiece>& pieces) {
  if (count_switched_off(lists, pieces).value_or(kMostSwitchedOff + 1) > kMostSwitchedOff) {
    return false;
  }
  GraphHandle tried = make_graph();
  const bool takes = std::ranges::all_of(pieces, [&](const ListedPiece& piece) {
    return make_switchable(copy_piece(piece.captured, tried.get(), piece.attributes).all)
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

GraphPiece add_switch(cudaGraph_t graph, const Choice& choice, const PieceAttributes& attributes) {
  Choice chosen = choice;
  ListSwitch lists;
  void* arguments[] = {&chosen, &lists};
  return add_kernel(graph, switch_kernel(), 1, kSwitchThreads, arguments, attributes);
}

SwitchedLists::SwitchedLists(int device, const std::vector<SwitchedBranch>& branches,
                             const ListSwitch& failed, cudaStream_t stream) {
  std::vector<ListedKernel> kernels;
  for (const SwitchedBranch& branch : branches) {
    kernels.insert(kernels.end(), branch.kernels.begin(), branch.kernels.end());
  }
  const std::size_t words_at = kernels.size() * sizeof(ListedKernel);
  bytes_ = words_at + branches.size() * sizeof(std::uint64_t);
  memory_ = RuntimeMemory(bytes_, MemoryStorageType::Device, device);
  std::vector<std::byte> begin(bytes_);  // the words are 0
  std::memcpy(begin.data(), kernels.data(), words_at);
  // No kernel is needed for a copy: one that hangs does not hold it up.
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(memory_.get(), begin.data(), bytes_, cudaMemcpyHostToDevice, stream));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  ListSwitch lists = failed;
  lists.kernels = reinterpret_cast<const ListedKernel*>(memory_.get());
  lists.on = reinterpret_cast<std::uint64_t*>(memory_.get() + words_at);
  for (const SwitchedBranch& branch : branches) {
    lists.count = static_cast<std::uint32_t>(branch.kernels.size());
    set_switch(branch, lists);
    lists.kernels += lists.count;
    ++lists.on;
  }
}

}  // namespace gxr::cuda
