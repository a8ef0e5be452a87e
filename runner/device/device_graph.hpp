#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device_branch.hpp"
#include "device/device_measures.hpp"
#include "device/graph_options.hpp"
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

/// One part of an iteration: what an operator captured.
struct DevicePiece {
  std::vector<std::size_t> after = {};  ///< pieces and branches of the same list that end before
  GraphTraits traits = {};
  DeviceRange kept_in_l2 = {};  ///< what GraphTraits::kept_in_l2 stands for, if anything
  DeviceList list = {};         ///< where it stands
  /// The number of a branch that is BranchLaunch::Sibling: this copies what it reads, or, in its
  /// list, what it has written and others read.
  std::size_t crosses = DeviceList::kNoBranch;
};

/// How often pieces that were captured again were brought into an instantiated graph, and by what.
struct DeviceGraphUpdates {
  std::uint64_t nodes = 0;           ///< new parameters for their nodes
  std::uint64_t graphs = 0;          ///< an update of the whole graph
  std::uint64_t instantiations = 0;  ///< another instantiation
};

/// A CUDA graph that is put together from pieces, each captured alone, and then launched again and
/// again. Made by DeviceEngine::make_graph(). One thread at a time.
///
/// All functions throw Error(Device) with CUDA's name and text of the error and the call.
class GXR_INTERNAL_API DeviceGraph {
 public:
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  /// Call it when what was launched is done: nothing else holds what was given to keep(), nor what
  /// libraries have tied to what they put on a captured stream.
  virtual ~DeviceGraph();

  /// Captures what `work` puts on the stream that it is given. Returns the number of the new piece,
  /// counted from 0. Edges between two pieces whose traits say dependent_launch are programmatic
  /// where the device can do that (compute capability 9.0 and later).
  ///
  /// Work that allocates or frees memory (cudaMallocAsync) is called twice, and whenever the graph
  /// is put together again, so what it refers to must live as long as the graph. Memory that it
  /// does not free is freed behind it; it may free none but its own.
  ///
  /// What `work` throws is passed on. Throws Error(InvalidState) when `work` put nothing on the
  /// stream, did something that cannot be captured, or forked a stream and did not join it;
  /// Error(NotSupported) for work that cannot be moved into another graph, or, in a list of a
  /// branch, that does something else than kernels, copies and memsets. Then the capture has ended,
  /// and the graph is of no use any more.
  virtual std::size_t add(const std::function<void(CUstream_st*)>& work,
                          const DevicePiece& piece) = 0;
  /// The same of a copy within the device's memory.
  virtual std::size_t add_copy(void* to, const void* from, std::size_t bytes,
                               const DevicePiece& piece) = 0;
  /// Adds a branch, which ends when the pieces of its lists do that were chosen. Returns its
  /// number; pieces and branches are counted together. Call it before what stands in its lists is
  /// added.
  virtual std::size_t add_branch(const DeviceBranch& branch, const std::vector<std::size_t>& after,
                                 const DeviceList& list) = 0;
  /// Nodes of all pieces.
  [[nodiscard]] virtual std::size_t nodes() const noexcept = 0;
  /// Puts a kernel in front of all pieces that writes the number of the launch into device memory
  /// of 8 bytes; the next one has number `next`. Call it when all pieces are added, once; after
  /// instantiate() it counts from the next update() on.
  virtual void count_launches(std::uint64_t* counter, std::uint64_t next) = 0;
  /// Makes it ready to be launched. No piece is added afterwards.
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
  /// Captures a piece again, with other parameters; it takes the place of the old one in the next
  /// update(). Throws as add(); then the graph is as before.
  virtual void replace(std::size_t piece, const std::function<void(CUstream_st*)>& work) = 0;
  /// The same with a copy within the device's memory; of no bytes: nothing is done in the place of
  /// the piece, and what follows it still follows what is in front of it.
  virtual void replace_by_copy(std::size_t piece, void* to, const void* from,
                               std::size_t bytes) = 0;
  /// Brings what was replaced into the graph: node by node when the pieces have the same nodes and
  /// edges as before, else by an update of the whole graph, else by another instantiation. Pieces
  /// that allocate or free memory, and those in lists of branches, always take the last way, and so
  /// does a graph with branches for which new parameters of nodes are not enough, or in which the
  /// GPU switches the kernels of short lists on and off, which ends after some changes; when others
  /// do, the work of those that allocate is called again; what that throws is passed on.
  /// `launched`: all iterations so far; what only they need is given up when they have ended.
  virtual void update(const DeviceWork& launched) = 0;
  [[nodiscard]] virtual DeviceGraphUpdates updates() const noexcept = 0;
  /// Switches all nodes of a piece off or on; nothing happens when they are. With lists that the
  /// GPU switches it is done by another instantiation, at the next launch. Throws
  /// Error(NotSupported) when it has others than kernels, copies and memsets, or is in a branch.
  virtual void enable(std::size_t piece, bool on) = 0;
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
