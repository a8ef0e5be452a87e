#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/device_measures.hpp"
#include "device/device_nodes.hpp"
#include "device/graph_options.hpp"
#include "device/program_edits.hpp"
#include "gxr/device_work.hpp"
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
class GXR_INTERNAL_API DeviceGraph : public DeviceNodes {
 public:
  /// Call it when what was launched is done: nothing else holds what was given to keep(), nor what
  /// libraries have tied to what they put on a captured stream.
  ~DeviceGraph() override;

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
  /// The same without waiting for anything, with times that are less exact; `most`: so many at
  /// most. Any thread.
  [[nodiscard]] virtual std::vector<MeasuredIteration> measured_until_now(
      std::size_t most = kAllMeasured) const = 0;
  /// Writes the graph as the driver sees it to a file, which is begun anew, in Graphviz's language:
  /// nodes with their parameters, and edges. Throws Error(InputOutput), too, when that fails.
  virtual void write_dot(const std::string& file) const = 0;

  // Changes of a graph that was instantiated. Iterations that were launched keep what they have.
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
  /// capture in its place; and then until the launches before have ended, for which each launch
  /// polls. It is let go on a thread of the process's. When the work throws, the object is let go
  /// later.
  virtual void keep(std::shared_ptr<const void> object) = 0;
};

}  // namespace gxr
