#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "device/device_graph.hpp"
#include "device/device_measures.hpp"
#include "fake_stream.hpp"

namespace gxr::fake {

/// The nodes of a graph or a loop with what they do.
class FakeNodes {
 public:
  struct Part {
    DeviceNode node;
    BranchMemory memory;
    std::shared_ptr<const std::vector<Kernel>> kernels;
    std::vector<std::shared_ptr<const void>> kept;  // by `kernels`
    bool enabled = true;
  };

  NodeId add(const CapturedWork& work, const DeviceNode& node);
  /// What `work` puts on the stream is done at once.
  static void prepare(const CapturedWork& work);
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node);
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node);
  void replace(NodeId node, const CapturedWork& work);
  void replace_by_copy(NodeId node, const DeviceCopy& copy);
  /// Of what is captured now, or was captured last.
  void keep(std::shared_ptr<const void> object) { keeping_.push_back(std::move(object)); }

  [[nodiscard]] std::vector<Part>& parts() noexcept { return parts_; }
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }

  /// All of an iteration; `polls`: the nodes that poll alone, else the others. `times` gets the
  /// times of all nodes that run, unless it is null. False: the device has failed.
  [[nodiscard]] bool run(bool polls, MeasuredIteration* times = nullptr) const;

 private:
  [[nodiscard]] std::shared_ptr<const std::vector<Kernel>> capture(const CapturedWork& work);
  [[nodiscard]] bool run_body(const DeviceBody& body, bool polls) const;
  [[nodiscard]] bool run_node(NodeId id) const;
  [[nodiscard]] bool run_branch(NodeId id) const;

  std::vector<Part> parts_;
  std::vector<std::shared_ptr<const void>> keeping_;
};

}  // namespace gxr::fake
