#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device_loop.hpp"
#include "fake_nodes.hpp"

namespace gxr::fake {

/// A loop that is a thread. When it hangs and is destroyed, the thread keeps what it needs.
class FakeLoop final : public DeviceLoop, private DeviceLoopControl, private DeviceLoopPorts {
 public:
  explicit FakeLoop(const DeviceLoopOptions& options);
  ~FakeLoop() override;

  NodeId add(const CapturedWork& work, const DeviceNode& node,
             const DeviceRange& l2_range = {}) override;
  void prepare(const CapturedWork& work) override { FakeNodes::prepare(work); }
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) override;
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) override;
  [[nodiscard]] const std::uint64_t* iteration() const noexcept override;
  [[nodiscard]] const std::uint64_t* iteration_in(NodeId branch) const noexcept override;
  [[nodiscard]] Doorbell doorbell(std::size_t number) const noexcept override;
  [[nodiscard]] const std::uint64_t* is_new(std::size_t drive) const noexcept override;
  void instantiate() override;
  void replace(NodeId node, const CapturedWork& work) override;
  void replace_by_copy(NodeId node, const DeviceCopy& copy) override;
  void write_dot(const std::string& file) const override;
  void launch_from(std::uint64_t done, std::uint64_t limit) override;
  [[nodiscard]] DeviceLoopControl& control() noexcept override { return *this; }
  [[nodiscard]] DeviceLoopPorts& ports() noexcept override { return *this; }
  bool is_running() override;
  [[nodiscard]] bool waits_for_siblings() const noexcept override { return false; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override { return 0; }
  DeviceLoopReport report() override;
  [[nodiscard]] std::vector<MeasuredIteration> measured(
      std::size_t most = kAllMeasured) const override;

 private:
  // DeviceLoopControl
  void set_limit(std::uint64_t limit) override;
  void drain() override;
  void set_sleep_interval(std::chrono::nanoseconds interval) override;
  void set_parameters(const std::vector<std::byte>& bytes) override;
  [[nodiscard]] std::uint64_t finished() const noexcept override;
  [[nodiscard]] std::uint64_t heartbeat() const noexcept override;
  [[nodiscard]] std::uint64_t taken(std::size_t drive,
                                    std::uint64_t iterations) const noexcept override;
  // DeviceLoopPorts
  bool put(std::size_t input, const void* data, bool readable, DeviceStream& stream) override;
  DeviceWork take(std::size_t output, void* to, bool writable, DeviceStream& stream) override;
  void drop_results() override;

  class Body;
  FakeNodes nodes_;
  std::shared_ptr<Body> body_;
};

}  // namespace gxr::fake
