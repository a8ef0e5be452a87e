#pragma once

#include <cstdint>

#include "graph_nodes.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// A kernel in front of a graph that writes the number of the launch.
class LaunchCounter {
 public:
  /// `where`: 8 bytes of device memory; `next`: the number of the next launch; `stream`: to capture
  /// from.
  LaunchCounter(std::uint64_t* where, std::uint64_t next, StreamRef stream);

  /// Puts it in front of the nodes that wait for no other.
  void place(const GraphNodes& nodes, const LaidGraph& graph) const;
  /// The graph that is launched has it.
  void note_placed() noexcept { is_placed_ = true; }
  [[nodiscard]] bool is_placed() const noexcept { return is_placed_; }
  /// In front of the first launch that counts, on its stream.
  void begin(StreamRef stream);

 private:
  std::uint64_t* where_;
  std::uint64_t next_;
  GraphHandle captured_;
  bool is_placed_ = false;
  bool is_set_ = false;
};

}  // namespace gxr::cuda
