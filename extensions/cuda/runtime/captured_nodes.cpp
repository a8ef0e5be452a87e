#include "captured_nodes.hpp"

#include <algorithm>
#include <string>

#include "cuda_call.hpp"
#include "cuda_nodes.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"
#include "owned.hpp"

namespace gxr::cuda {
namespace {

using Node = cudaGraphNode_t;

bool is_memory(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}

[[noreturn]] void throw_cannot_be_part(const char* why) {
  throw Error(ErrorCode::NotSupported,
              std::string("this work cannot be a part of a CUDA-graph region: ") + why);
}

/// Does it read or write memory of the host that is not page-locked?
bool copies_pageable(Node node) {
  const auto is_pageable = [](CUmemorytype type, const void* host, CUdeviceptr unified) {
    const void* const memory = type == CU_MEMORYTYPE_HOST      ? host
                               : type == CU_MEMORYTYPE_UNIFIED ? reinterpret_cast<void*>(unified)
                                                               : nullptr;
    cudaPointerAttributes attributes{};
    if (memory != nullptr) {
      cuda_check("cudaPointerGetAttributes", cudaPointerGetAttributes(&attributes, memory));
    }
    return memory != nullptr && attributes.type == cudaMemoryTypeUnregistered;
  };
  CUDA_MEMCPY3D copy{};
  driver_check("cuGraphMemcpyNodeGetParams", driver().memcpy_node_get_params(node, &copy));
  return is_pageable(copy.srcMemoryType, copy.srcHost, copy.srcDevice) ||
         is_pageable(copy.dstMemoryType, copy.dstHost, copy.dstDevice);
}

/// Throws for what CUDA does not take in the body of a conditional node.
void require_conditional(cudaGraph_t captured, PiecePlace place) {
  for (const Node node : nodes_of(captured)) {
    const char* what = nullptr;
    bool allocates = false;
    switch (type_of(node)) {
      case cudaGraphNodeTypeHost:
        what = "calls a function of the host";
        break;
      case cudaGraphNodeTypeEventRecord:
      case cudaGraphNodeTypeWaitEvent:
        what = "records an event of its own or waits for one";
        break;
      case cudaGraphNodeTypeMemAlloc:
      case cudaGraphNodeTypeMemFree:
        what = "allocates or frees memory";
        allocates = true;
        break;
      case cudaGraphNodeTypeMemcpy:
        if (!copies_pageable(node)) {
          continue;
        }
        what = "copies memory of the host that is not page-locked";
        break;
      case cudaGraphNodeTypeGraph:
        require_conditional(child_of(node), place);
        continue;
      default:
        continue;
    }
    std::string text = std::string("it ") + what;
    if (place == PiecePlace::Branch) {
      text += ", which operators in a branch body cannot do";
      text += allocates ? "; scratch that infer() asks for will do" : "";
    } else {
      text += ", which a loop on the GPU cannot do; 'mode: graph' can";
      text += allocates ? ", and scratch that infer() asks for will do in both" : "";
    }
    throw Error(ErrorCode::NotSupported, text);
  }
}

/// Addresses that nodes allocate, and that they free. One may be there more than once: what was
/// freed is given again.
struct MemoryOfNodes {
  std::vector<void*> allocated;
  std::vector<void*> freed;

  void add(Node node) {
    const cudaGraphNodeType type = type_of(node);
    if (type == cudaGraphNodeTypeMemAlloc) {
      cudaMemAllocNodeParams params{};
      cuda_check("cudaGraphMemAllocNodeGetParams", cudaGraphMemAllocNodeGetParams(node, &params));
      allocated.push_back(params.dptr);
    } else if (type == cudaGraphNodeTypeMemFree) {
      void* address = nullptr;
      cuda_check("cudaGraphMemFreeNodeGetParams", cudaGraphMemFreeNodeGetParams(node, &address));
      freed.push_back(address);
    }
  }
  void add_all(cudaGraph_t graph) {
    for (const Node node : nodes_of(graph)) {
      add(node);
      if (type_of(node) == cudaGraphNodeTypeGraph) {
        add_all(child_of(node));
      }
    }
  }

  [[nodiscard]] static std::vector<void*> without(std::vector<void*> all,
                                                  const std::vector<void*>& some) {
    for (void* const each : some) {
      if (const auto found = std::ranges::find(all, each); found != all.end()) {
        all.erase(found);
      }
    }
    return all;
  }
};

Node copy_kernel(Node node, cudaGraph_t to) {
  CUDA_KERNEL_NODE_PARAMS params{};
  driver_check("cuGraphKernelNodeGetParams", driver().kernel_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddKernelNode", driver().add_kernel_node(&copy, to, nullptr, 0, &params));
  driver_check("cuGraphKernelNodeCopyAttributes", driver().kernel_node_copy_attributes(copy, node));
  return copy;
}

Node copy_memcpy(Node node, cudaGraph_t to) {
  CUDA_MEMCPY3D params{};
  driver_check("cuGraphMemcpyNodeGetParams", driver().memcpy_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddMemcpyNode",
               driver().add_memcpy_node(&copy, to, nullptr, 0, &params, current_context()));
  return copy;
}

Node copy_memset(Node node, cudaGraph_t to) {
  CUDA_MEMSET_NODE_PARAMS params{};
  driver_check("cuGraphMemsetNodeGetParams", driver().memset_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddMemsetNode",
               driver().add_memset_node(&copy, to, nullptr, 0, &params, current_context()));
  return copy;
}

}  // namespace

void require_known(const std::vector<Node>& nodes) {
  if (nodes.empty()) {
    throw Error(ErrorCode::InvalidState,
                "nothing was put on context.stream(): work on other streams, which are not forked "
                "from it, is no part of the graph");
  }
  for (const Node node : nodes) {
    switch (const cudaGraphNodeType type = type_of(node)) {
      case cudaGraphNodeTypeKernel:
      case cudaGraphNodeTypeMemcpy:
      case cudaGraphNodeTypeMemset:
      case cudaGraphNodeTypeEmpty:
      case cudaGraphNodeTypeHost:
      case cudaGraphNodeTypeGraph:
      case cudaGraphNodeTypeEventRecord:
      case cudaGraphNodeTypeWaitEvent:
      case cudaGraphNodeTypeMemAlloc:
      case cudaGraphNodeTypeMemFree:
        break;
      default:
        throw_cannot_be_part(type == cudaGraphNodeTypeConditional
                                 ? "it has conditional nodes of its own"
                                 : "it has a kind of node that gxr does not know");
    }
  }
}

void require_movable(cudaGraph_t captured, PiecePlace place) {
  require_known(nodes_of(captured));
  if (place != PiecePlace::Graph) {
    require_conditional(captured, place);
  }
  MemoryOfNodes memory;
  memory.add_all(captured);
  if (!MemoryOfNodes::without(memory.freed, memory.allocated).empty()) {
    throw_cannot_be_part("it frees memory that it did not allocate in the same capture");
  }
}

Node copy_node(Node node, cudaGraph_t to) {
  Node copy = nullptr;
  switch (type_of(node)) {
    case cudaGraphNodeTypeKernel:
      return copy_kernel(node, to);
    case cudaGraphNodeTypeMemcpy:
      return copy_memcpy(node, to);
    case cudaGraphNodeTypeMemset:
      return copy_memset(node, to);
    case cudaGraphNodeTypeEmpty:
      cuda_check("cudaGraphAddEmptyNode", cudaGraphAddEmptyNode(&copy, to, nullptr, 0));
      return copy;
    case cudaGraphNodeTypeHost: {
      cudaHostNodeParams params{};
      cuda_check("cudaGraphHostNodeGetParams", cudaGraphHostNodeGetParams(node, &params));
      cuda_check("cudaGraphAddHostNode", cudaGraphAddHostNode(&copy, to, nullptr, 0, &params));
      return copy;
    }
    case cudaGraphNodeTypeGraph: {
      // CUDA takes no graph that belongs to a node. The clone is moved, not copied once more.
      cudaGraph_t clone = nullptr;
      cuda_check("cudaGraphClone", cudaGraphClone(&clone, child_of(node)));
      GraphHandle owner(clone);
      cudaGraphNodeParams params{};
      params.type = cudaGraphNodeTypeGraph;
      params.graph.graph = clone;
      params.graph.ownership = cudaGraphChildGraphOwnershipMove;
      cuda_check("cudaGraphAddNode", cudaGraphAddNode(&copy, to, nullptr, nullptr, 0, &params));
      owner.release();
      return copy;
    }
    case cudaGraphNodeTypeEventRecord: {
      cudaEvent_t event = nullptr;
      cuda_check("cudaGraphEventRecordNodeGetEvent",
                 cudaGraphEventRecordNodeGetEvent(node, &event));
      cuda_check("cudaGraphAddEventRecordNode",
                 cudaGraphAddEventRecordNode(&copy, to, nullptr, 0, event));
      return copy;
    }
    case cudaGraphNodeTypeWaitEvent: {
      cudaEvent_t event = nullptr;
      cuda_check("cudaGraphEventWaitNodeGetEvent", cudaGraphEventWaitNodeGetEvent(node, &event));
      cuda_check("cudaGraphAddEventWaitNode",
                 cudaGraphAddEventWaitNode(&copy, to, nullptr, 0, event));
      return copy;
    }
    default:
      throw Error(ErrorCode::InvalidState, "a node that cannot be copied was let through");
  }
}

bool has_memory_nodes(cudaGraph_t graph) {
  return std::ranges::any_of(nodes_of(graph), [](Node node) {
    const cudaGraphNodeType type = type_of(node);
    return is_memory(type) || (type == cudaGraphNodeTypeGraph && has_memory_nodes(child_of(node)));
  });
}

std::vector<void*> memory_left_by(const std::vector<cudaGraphNode_t>& nodes) {
  MemoryOfNodes memory;
  for (const Node node : nodes) {
    memory.add(node);
  }
  return MemoryOfNodes::without(memory.allocated, memory.freed);
}

}  // namespace gxr::cuda
