#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "device/device_measures.hpp"
#include "graph_kernels.hpp"
#include "graph_layout.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

/// The notes of kernels on iterations that are measured, in a ring of records in page-locked
/// memory: the number of the iteration, the GPU's time at its begin, behind each node, and at the
/// begin of each body of a branch.
class MeasuredRecords {
 public:
  /// A node.
  struct Node {
    std::vector<NodeId> after;  ///< nodes of the same body that end before
    DeviceBody body;
    std::uint32_t bodies = 0;  ///< of a branch
    bool is_stamped = true;    ///< false: it does not run in iterations
  };
  /// Every `every`th iteration has a record.
  MeasuredRecords(int device, std::uint32_t every, std::vector<Node> nodes);

  /// Empties all and sets the clocks of GPU and host side by side; waits for `stream`.
  void begin(cudaStream_t stream);
  /// Sets the clocks side by side again: times between are right when they drift apart.
  void end(cudaStream_t stream) { at_end_ = compare_clocks(stream); }
  /// The last, `most` of them, in their order. While an iteration runs, and when the device has
  /// failed, the last may be one that has not ended.
  [[nodiscard]] std::vector<MeasuredIteration> read(std::size_t most) const;

  [[nodiscard]] std::uint32_t bodies(NodeId node) const { return nodes_.at(node).bodies; }
  /// The note that a kernel is to make; `iteration`: its number, in device memory.
  [[nodiscard]] Stamp begin_stamp(const std::uint64_t* iteration) const;
  [[nodiscard]] Stamp end_stamp(const std::uint64_t* iteration, NodeId node) const;
  [[nodiscard]] Stamp body_stamp(const std::uint64_t* iteration, const DeviceBody& body) const;

 private:
  /// Times of the GPU's clock and of the steady clock at once.
  struct ClockPair {
    std::int64_t host = 0;
    std::int64_t gpu = 0;
  };
  [[nodiscard]] std::uint64_t* words() const noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.get());
  }
  [[nodiscard]] Stamp stamp(const std::uint64_t* iteration, std::size_t place) const;
  [[nodiscard]] std::size_t place_of(const DeviceBody& body) const;
  [[nodiscard]] ClockPair compare_clocks(cudaStream_t stream) const;
  [[nodiscard]] std::int64_t host_time(std::uint64_t gpu) const;
  [[nodiscard]] std::uint64_t first_of_last(std::size_t most) const;

  std::uint32_t every_;
  std::vector<Node> nodes_;
  std::size_t record_words_;
  std::vector<std::size_t> first_body_;  // by node: of a branch, the place of its first body
  RuntimeMemory memory_;
  ClockPair at_begin_;
  ClockPair at_end_;  // host: 0 before that
};

/// The kernels that note the times of one iteration, which is being laid out.
class Stamps {
 public:
  /// `iteration`: as in MeasuredRecords; `piece_options`: of the kernels.
  Stamps(const MeasuredRecords& records, const std::uint64_t* iteration,
         const PieceOptions& piece_options, cudaGraph_t graph);

  /// The kernel in front of the nodes of a body that follow no other.
  [[nodiscard]] const GraphPiece& begin(const DeviceBody& body) const;
  /// Puts one behind a node, for which all that follows then waits, and at the begin of its bodies.
  void add_behind(GraphLayout& layout, NodeId node);

 private:
  [[nodiscard]] GraphPiece add(cudaGraph_t graph, Stamp stamp) const;

  const MeasuredRecords& records_;
  const std::uint64_t* iteration_;
  PieceOptions piece_options_;
  GraphPiece begin_;
  std::map<std::pair<NodeId, std::uint32_t>, GraphPiece> bodies_;
};

}  // namespace gxr::cuda
