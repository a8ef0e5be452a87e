#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device_measures.hpp"
#include "device/device_program.hpp"
#include "device/graph_options.hpp"
#include "device/program_edits.hpp"
#include "gxr/device_work.hpp"
#include "gxr/graph_operator.hpp"
#include "internal_api.hpp"

namespace gxr {

class DevicePartition;

struct DeviceGraphOptions {
  int device = 0;
  int priority = 0;  ///< of its kernels, as of streams, where GraphTraits do not ask for another
  /// The SMs that it runs on, of the same device; must outlive the graph. nullptr: all.
  DevicePartition* partition = nullptr;
  MemorySyncDomain memory_sync_domain = MemorySyncDomain::Default;  ///< of all its kernels
  /// Every Nth launch, from the first on, is measured, part by part, by a graph of its own
  /// that does the same; 0: none.
  std::uint32_t instrument_every = 0;
};

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

/// How often nodes that were captured again were brought into an instantiated graph, and by what.
struct DeviceGraphUpdates {
  std::uint64_t nodes = 0;           ///< new parameters for their CUDA nodes
  std::uint64_t graphs = 0;          ///< an update of the whole graph
  std::uint64_t instantiations = 0;  ///< another instantiation
};

/// A CUDA graph that is put together from the nodes of a DeviceProgram, each captured alone, and
/// then launched again and again. Made by DeviceEngine::make_graph(). One thread at a time.
///
/// All functions throw Error(Device) with CUDA's name and text of the error and the call.
class GXR_INTERNAL_API DeviceGraph {
 public:
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  /// Call it when what was launched is done: nothing else holds what was given to keep(), nor what
  /// libraries have tied to what they put on a captured stream.
  virtual ~DeviceGraph();

  /// Captures what `work` puts on the stream that it is given, for the next node of the program, an
  /// operator; `kept_in_l2`: what GraphTraits::kept_in_l2 stands for, if anything. Returns the
  /// number of the node, counted from 0. Edges between two nodes whose traits say dependent_launch
  /// are programmatic where the device can do that (compute capability 9.0 and later).
  ///
  /// Work that allocates or frees memory (cudaMallocAsync) is called twice, and whenever the graph
  /// is put together again, so what it refers to must live as long as the graph. Memory that it
  /// does not free is freed behind it; it may free none but its own.
  ///
  /// What `work` throws is passed on. Throws Error(InvalidState) when `work` put nothing on the
  /// stream, did something that cannot be captured, or forked a stream and did not join it;
  /// Error(NotSupported) for work that cannot be moved into another graph, or, in a body of a
  /// branch, that does something else than kernels, copies and memsets. Then the capture has ended,
  /// and the graph is of no use any more.
  virtual NodeId add(const std::function<void(CUstream_st*)>& work, const DeviceNode& node,
                     const DeviceRange& kept_in_l2 = {}) = 0;
  /// Gives `work` the stream that add() captures, which is not captured now, and waits until what
  /// it put there is done. What `work` throws is passed on.
  virtual void prepare(const std::function<void(CUstream_st*)>& work) = 0;
  /// As add(), of a node that copies.
  virtual NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) = 0;
  /// As add(), of a branch, which ends when the nodes of its bodies do that were chosen.
  virtual NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) = 0;
  /// CUDA nodes of all nodes.
  [[nodiscard]] virtual std::size_t nodes() const noexcept = 0;
  /// Puts a kernel in front of all nodes that writes the number of the launch into device memory
  /// of 8 bytes; the next one has number `next`. Call it when all nodes are added, once; after
  /// instantiate() it counts from the next update() on.
  virtual void count_launches(std::uint64_t* counter, std::uint64_t next) = 0;
  /// Makes it ready to be launched. No node is added afterwards.
  virtual void instantiate() = 0;
  /// Puts one iteration on a stream, that of a DeviceStream. Iterations run one after the other, on
  /// streams that are ordered.
  virtual void launch(CUstream_st* stream) = 0;
  /// Throws what the GPU could not do in launches that are done.
  virtual void check() const = 0;
  /// The last launches that were measured, some thousand, in their order; while they run, and when
  /// the device has failed, the last of them may be one that has not ended.
  [[nodiscard]] virtual std::vector<MeasuredIteration> measured() = 0;
  /// The same without waiting for anything, with times that are less exact. Any thread.
  [[nodiscard]] virtual std::vector<MeasuredIteration> measured_until_now() const = 0;
  /// Writes the graph as the driver sees it to a file, which is begun anew, in Graphviz's language:
  /// nodes with their parameters, and edges. Throws Error(InputOutput), too, when that fails.
  virtual void write_dot(const std::string& file) const = 0;

  // Changes of a graph that was instantiated. Iterations that were launched keep what they have.
  /// Captures a node again, with other parameters; it takes the place of the old one in the next
  /// update(). Throws as add(); then the graph is as before.
  virtual void replace(NodeId node, const std::function<void(CUstream_st*)>& work) = 0;
  /// The same with a copy; of no bytes: nothing is done in the place of the node, and what follows
  /// it still follows what is in front of it.
  virtual void replace_by_copy(NodeId node, const DeviceCopy& copy) = 0;
  /// Brings what was replaced into the graph: node by node when the captures have the same CUDA
  /// nodes and edges as before, else by an update of the whole graph, else by another
  /// instantiation. Work that allocates or frees memory, and that in bodies of branches, always
  /// takes the last way, and so does a graph with branches for which new parameters of nodes are
  /// not enough, or in which the GPU switches the kernels of short bodies on and off, which ends
  /// after some changes; when others do, the work of those that allocate is called again; what that
  /// throws is passed on. `launched`: all iterations so far; what only they need is given up when
  /// they have ended. Returns which of the three ways it took.
  virtual EditCost update(const DeviceWork& launched) = 0;
  [[nodiscard]] virtual DeviceGraphUpdates updates() const noexcept = 0;
  /// Switches all that a node captured off or on; nothing happens when it is. With bodies that the
  /// GPU switches it is done by another instantiation, at the next launch. Throws
  /// Error(NotSupported) when there is something else than kernels, copies and memsets, or in a
  /// body of a branch.
  virtual void enable(NodeId node, bool on) = 0;
  /// Call it in the work given to add() or replace(): keeps an object for what is being captured,
  /// by way of user objects of CUDA, until the graph is destroyed, or an update() has put another
  /// capture in its place; and then until the launches before have ended, which each launch looks
  /// for. It is let go on a thread of the process's. When the work throws, the object is let go
  /// later.
  virtual void keep(std::shared_ptr<const void> object) = 0;

 protected:
  DeviceGraph() = default;
};

}  // namespace gxr
