#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gxr/device_loop.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/scheduling_term.hpp"
#include "schedulers/poller.hpp"
#include "schedulers/region_runner.hpp"
#include "schedulers/resident_control.hpp"

namespace gxr {

/// A region that loops on the GPU. A tick gives a message of each input to the loop, if there is
/// one of each and room, and publishes a result of each output, if there is one and room behind it.
/// Inputs, results and their origins keep their order; at most `slots` inputs and `slots` results
/// are on their way.
///
/// In the place of the entities' terms is one of its own: ready for either of the two, waiting for
/// an event while the loop works on something, and done when the loop has ended and all results
/// are published.
class ResidentRunner final : public RegionRunner, private Polled {
 public:
  ResidentRunner(const Plan& plan, const Region& region, Instance& instance, Context& context,
                 Poller& poller, std::shared_ptr<ResidentControl> control);
  ~ResidentRunner() override;

  [[nodiscard]] LiveEntity merge(const std::vector<LiveEntity>& entities) override;
  void tick() override;

  // For the program that embeds the application, see ResidentGraph; on its threads.
  [[nodiscard]] bool is_launched();
  void ring();
  [[nodiscard]] bool has_all_results();
  [[nodiscard]] std::uint64_t results();
  void tear_down(GraphStop how);
  void launch_again();
  void set_timeout(std::chrono::nanoseconds timeout);
  void set_sleep_interval(std::chrono::nanoseconds interval);

 private:
  class Term;
  class PinnedMemory;
  /// Out of the region.
  struct Way {
    std::uint64_t taken = 0;  ///< results
    bool on_device = false;   ///< where messages have their tensors
  };

  void build_graph() override;
  void drop_graph() noexcept override;
  void finish() override;
  const std::uint64_t* iteration() override { return loop_->iteration(); }

  [[nodiscard]] DeviceLoopOptions loop_options();
  [[nodiscard]] GraphLoop loop_shape();
  [[nodiscard]] std::uint64_t count_limit() const;
  Condition check();
  [[nodiscard]] std::string explain() const;
  void events(TermEvents& events);
  [[nodiscard]] bool can_accept(std::uint64_t finished) const;
  [[nodiscard]] bool can_publish(std::size_t output, std::uint64_t finished) const;
  [[nodiscard]] bool all_published(std::uint64_t finished) const noexcept;
  [[nodiscard]] bool is_busy(std::uint64_t finished) const noexcept;
  [[nodiscard]] std::uint64_t least_taken() const noexcept;
  void look_after_loop();
  void accept();
  void put(std::size_t input, const Message& message);
  void publish_next(std::size_t output);
  void launch();
  void require_running();
  void end_loop(GraphStop how);

  // Polled
  [[nodiscard]] bool expects_news() const noexcept override;
  [[nodiscard]] bool has_news() noexcept override;
  void remind() noexcept override;
  [[nodiscard]] const Component& component() const noexcept override { return *this; }

  Poller& poller_;
  std::shared_ptr<ResidentControl> control_;
  std::mutex mutex_;  // guards what follows, but for what the poller reads
  std::unique_ptr<Term> term_;
  std::unique_ptr<PinnedMemory> pinned_;
  std::unique_ptr<DeviceLoop> loop_;
  std::vector<Way> ways_;                  // by output
  std::optional<LeasedStream> in_stream_;  // copies of large tensors
  std::optional<LeasedStream> out_stream_;
  std::uint64_t limit_ = ~std::uint64_t{0};  // iterations at most
  std::uint64_t accepted_ = 0;   // sets of inputs, or iterations that the program asked for
  std::vector<Origin> origins_;  // of the last of them, a ring
  bool runs_ = false;
  bool torn_down_ = false;
  std::chrono::nanoseconds timeout_{0};
  std::chrono::steady_clock::time_point began_;

  // For the poller.
  std::atomic<bool> expects_{false};
  std::atomic<bool> reminded_{false};
  std::atomic<std::uint64_t> seen_{0};  // iterations that somebody was told of
};

}  // namespace gxr
