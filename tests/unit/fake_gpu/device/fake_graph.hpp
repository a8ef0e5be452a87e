#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fake_measures.hpp"
#include "fake_nodes.hpp"

namespace gxr::fake {

/// A graph whose launch is work of a stream. What was launched keeps what it had.
class FakeGraph final : public DeviceGraph {
 public:
  explicit FakeGraph(const DeviceGraphOptions& options)
      : measures_(std::make_shared<FakeMeasures>(options.instrument_every)) {}
  NodeId add(const CapturedWork& work, const DeviceNode& node,
             const DeviceRange& l2_range = {}) override;
  void prepare(const CapturedWork& work) override { FakeNodes::prepare(work); }
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) override {
    return nodes_.add_copy(copy, node);
  }
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) override {
    return nodes_.add_branch(memory, node);
  }
  [[nodiscard]] std::size_t nodes() const noexcept override { return nodes_.parts().size(); }
  void count_launches(std::uint64_t* counter, std::uint64_t next) override;
  void instantiate() override { now_ = std::make_shared<const FakeNodes>(nodes_); }
  void launch(CUstream_st* stream) override;
  void check() const override { require_device(); }
  [[nodiscard]] std::vector<MeasuredIteration> measured() override { return measured_until_now(); }
  [[nodiscard]] std::vector<MeasuredIteration> measured_until_now(
      std::size_t most = kAllMeasured) const override {
    return measures_->last(most);
  }
  void write_dot(const std::string& file) const override;

  void replace(NodeId node, const CapturedWork& work) override;
  void replace_by_copy(NodeId node, const DeviceCopy& copy) override;
  EditCost update(const DeviceWork& launched) override;
  [[nodiscard]] DeviceGraphUpdates updates() const noexcept override { return updates_; }
  void enable(NodeId node, bool on) override;
  void keep(std::shared_ptr<const void> object) override { nodes_.keep(std::move(object)); }

 private:
  FakeNodes nodes_;
  std::shared_ptr<const FakeNodes> now_;  // what the next launch runs
  std::uint64_t* counter_ = nullptr;
  std::uint64_t next_ = 0;
  bool instantiates_ = false;  // at the next update
  DeviceGraphUpdates updates_;
  const std::shared_ptr<FakeMeasures> measures_;
};

}  // namespace gxr::fake
