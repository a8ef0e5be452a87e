#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "device/device_program.hpp"
#include "gxr/device_work.hpp"
#include "internal_api.hpp"

namespace gxr {

/// A part of an allocation of device memory.
struct DeviceRange {
  void* begin = nullptr;
  std::size_t bytes = 0;
};

/// Where a branch finds what decides, in device memory.
struct BranchMemory {
  const void* selector = nullptr;            ///< the element of DeviceBranch::selector
  std::uint64_t* runs = nullptr;             ///< of a While with a limit: 8 bytes for it alone
  const std::uint64_t* iteration = nullptr;  ///< of an Every: the number of the iteration, from 0
};

/// A copy within the device's memory. Of no bytes: nothing is done.
struct DeviceCopy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

/// Puts what is to be captured on a stream.
using CapturedWork = std::function<void(CUstream_st*)>;

/// The common half of a DeviceGraph and a DeviceLoop: both are put together from the nodes of a
/// DeviceProgram, each captured alone. One thread at a time.
class GXR_INTERNAL_API DeviceNodes {
 public:
  DeviceNodes(const DeviceNodes&) = delete;
  DeviceNodes& operator=(const DeviceNodes&) = delete;
  virtual ~DeviceNodes();

  /// Captures the work of the next node of the program, an operator; `l2_range`: what
  /// GraphTraits::kept_in_l2 stands for, if anything. Returns the number of the node, counted from
  /// 0. Edges between two nodes whose traits say dependent_launch are programmatic where the device
  /// can do that (compute capability 9.0 and later).
  ///
  /// Work that allocates or frees memory (cudaMallocAsync) is called twice, and whenever the graph
  /// is put together again, so what it refers to must live as long as the graph. Memory that it
  /// does not free is freed behind it; it may free none but its own.
  ///
  /// Exceptions of `work` are passed on. Throws Error(InvalidState) when `work` put nothing on the
  /// stream, did something that cannot be captured, or forked a stream and did not join it;
  /// Error(NotSupported) for work that cannot be moved into another graph, or, in a body of a
  /// branch, that does something else than kernels, copies and memsets; of a loop, also for calls
  /// of host functions. Then the capture has ended, and the graph is of no use any more.
  virtual NodeId add(const CapturedWork& work, const DeviceNode& node,
                     const DeviceRange& l2_range = {}) = 0;
  /// Gives `work` the stream that add() captures, which is not captured now, and waits until what
  /// it put there is done. Exceptions of `work` are passed on.
  virtual void prepare(const CapturedWork& work) = 0;
  /// As add(), of a node that copies.
  virtual NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) = 0;
  /// As add(), of a branch, which ends when the nodes of its bodies do that were chosen.
  virtual NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) = 0;

  /// Captures a node again, with other parameters; it takes the place of the old one in the next
  /// DeviceGraph::update() or DeviceLoop::instantiate(). Throws as add(); then nothing has changed.
  virtual void replace(NodeId node, const CapturedWork& work) = 0;
  /// The same with a copy; of no bytes: nothing is done in the place of the node, and what follows
  /// it still follows what is in front of it.
  virtual void replace_by_copy(NodeId node, const DeviceCopy& copy) = 0;

 protected:
  DeviceNodes() = default;
};

}  // namespace gxr
