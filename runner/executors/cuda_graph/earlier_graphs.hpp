#pragma once

#include <cstdint>
#include <vector>

#include "device/device_graph.hpp"

namespace gxr {

/// What is known of the graphs of a region that were replaced, since they were built for other
/// shapes.
class EarlierGraphs {
 public:
  /// `launched`: of all graphs so far, with this one, whose launches have ended.
  void add(DeviceGraph& graph, std::uint64_t launched);
  void clear() noexcept { *this = {}; }
  /// With those of the graph of now. Every graph but the first is an instantiation.
  [[nodiscard]] DeviceGraphUpdates with(DeviceGraphUpdates now) const noexcept;
  /// Behind theirs, of which only some thousand are kept.
  [[nodiscard]] std::vector<MeasuredIteration> with(std::vector<MeasuredIteration> now) const;

 private:
  std::uint64_t launched_ = 0;
  DeviceGraphUpdates updates_;
  std::vector<MeasuredIteration> measured_;
};

}  // namespace gxr
