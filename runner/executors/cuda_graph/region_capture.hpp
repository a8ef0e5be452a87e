#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device/device_nodes.hpp"
#include "executors/cuda_graph/operator_capture.hpp"
#include "executors/cuda_graph/region_buffers.hpp"
#include "executors/cuda_graph/region_operators.hpp"
#include "executors/cuda_graph/region_program.hpp"

namespace gxr {

/// Brings the program of a region to its DeviceGraph or DeviceLoop, node by node. What operators
/// throw while they are captured is passed on as their ComponentFailure.
class RegionCapture {
 public:
  /// All must outlive it.
  RegionCapture(const Plan& plan, const GraphRegion& region, const RegionOperators& operators,
                const RegionProgram& program, RegionBuffers& buffers, CaptureSource& source);

  /// Adds all nodes of the program that runs, in their order.
  void add_all(DeviceNodes& device);
  /// Puts into it what an operator captures now, or, `is_on` false, what is in the place of one
  /// that is switched off.
  void replace(NodeId id, bool is_on, DeviceNodes& device);
  /// An object that the work captured now uses. It may be needed to capture that again.
  void keep(std::shared_ptr<const void> object) { kept_[captured_].push_back(std::move(object)); }
  /// There is no graph any more.
  void forget() noexcept { kept_.clear(); }

 private:
  void add(NodeId id, DeviceNodes& device);
  void prepare(NodeId id, DeviceNodes& device);
  void capture(NodeId id, const auto& add);
  [[nodiscard]] OperatorCapture context(NodeId id, CUstream_st* stream) const;
  [[nodiscard]] BranchMemory branch_memory(NodeId id) const;
  [[nodiscard]] DeviceCopy passed_copy(NodeId id) const;
  [[nodiscard]] const DeviceNode& node(NodeId id) const { return program_.running().nodes[id]; }

  const Plan& plan_;
  const GraphRegion& region_;
  const RegionOperators& operators_;
  const RegionProgram& program_;
  RegionBuffers& buffers_;
  CaptureSource& source_;
  std::map<NodeId, std::vector<std::shared_ptr<const void>>> kept_;
  NodeId captured_ = kNoNode;  // now
};

}  // namespace gxr
