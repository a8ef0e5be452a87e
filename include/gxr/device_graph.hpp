#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/graph_options.hpp"

namespace gxr {

class DevicePartition;

struct DeviceGraphOptions {
  int device = 0;
  int priority = 0;  ///< of its kernels, as of streams, where GraphTraits do not ask for another
  /// The SMs that it runs on, of the same device; must outlive the graph. nullptr: all.
  DevicePartition* partition = nullptr;
  MemorySyncDomain memory_sync_domain = MemorySyncDomain::Default;  ///< of all its kernels
};

/// A part of an allocation of device memory.
struct DeviceRange {
  void* begin = nullptr;
  std::size_t bytes = 0;
};

/// A CUDA graph that is put together from pieces, each captured alone, and then launched again and
/// again. Made by DeviceRuntime::make_graph(). One thread at a time.
///
/// All functions throw Error(Device) with CUDA's name and text of the error and the call.
class GXR_API DeviceGraph {
 public:
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  /// Work that was launched goes on; the memory that it uses must stay.
  virtual ~DeviceGraph();

  /// Captures what `work` puts on the stream that it is given, and adds it behind the pieces
  /// `after`. Returns the number of the new piece, counted from 0. Edges between two pieces whose
  /// traits say dependent_launch are programmatic where the device can do that (compute capability
  /// 9.0 and later). `kept_in_l2`: the memory that GraphTraits::kept_in_l2 stands for, if any.
  ///
  /// What `work` throws is passed on. Throws Error(InvalidState) when `work` put nothing on the
  /// stream, did something that cannot be captured, or forked a stream and did not join it;
  /// Error(NotSupported) for work that cannot be moved into another graph. Then the capture has
  /// ended, and the graph is of no use any more.
  virtual std::size_t add(const std::function<void(CUstream_st*)>& work,
                          const std::vector<std::size_t>& after, const GraphTraits& traits,
                          const DeviceRange& kept_in_l2) = 0;
  /// Nodes of all pieces.
  [[nodiscard]] virtual std::size_t nodes() const noexcept = 0;
  /// Makes it ready to be launched. No piece is added afterwards.
  virtual void instantiate() = 0;
  /// Puts one iteration on a stream, and before it, if `counter` is not null, the iteration's
  /// number into that device memory. Iterations run one after the other.
  virtual void launch(CUstream_st* stream, std::uint64_t number, std::uint64_t* counter) = 0;
  /// Writes the graph as the driver sees it to a file, which is begun anew, in Graphviz's language:
  /// nodes with their parameters, and edges. Throws Error(InputOutput), too, when that fails.
  virtual void write_dot(const std::string& file) const = 0;

 protected:
  DeviceGraph() = default;
};

}  // namespace gxr
