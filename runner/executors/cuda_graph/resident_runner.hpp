#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/device_engine.hpp"
#include "device/device_loop.hpp"
#include "executors/cuda_graph/loop_news.hpp"
#include "executors/cuda_graph/poller.hpp"
#include "executors/cuda_graph/region_runner.hpp"
#include "executors/cuda_graph/resident_control.hpp"
#include "executors/cuda_graph/resident_session.hpp"
#include "gxr/message_account.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {

/// A region that loops on the GPU. A tick gives a message of each input to the loop, if there is
/// one of each and room in it, and publishes a result of each output, if an iteration is done.
/// Inputs, results and their origins keep their order; at most `slots` inputs and `slots` results
/// are on their way, and one more result of large tensors that are copied to the host.
///
/// Instead of the operators' terms the entity has one of its own: ready for either of the two,
/// waiting for an event while the loop works on something, and done when the loop has ended and all
/// results are published; and one for the room behind each output. That term is urgent when there
/// is something else to do, which needs no room: such a tick polls the loop, and takes
/// changes.
///
/// The session says what may be done, the parts do it. Their functions are called with the lock
/// held, but for what the first and the last thread do alone: build_graph() and the end.
class ResidentRunner final : public RegionRunner, public MessageAccount {
 public:
  ResidentRunner(const Plan& plan, const Region& region, Instance& instance, Context& context,
                 Poller& poller, std::shared_ptr<ResidentControl> control);
  ~ResidentRunner() override;

  [[nodiscard]] LiveEntity merge(const std::vector<LiveEntity>& entities) override;
  void tick() override;
  [[nodiscard]] bool hangs() const noexcept override { return session_.is(SessionState::Hung); }
  void end_early() noexcept override;
  [[nodiscard]] std::vector<Discard> discards() const override;
  /// Messages for whose shapes the loop was to be made.
  [[nodiscard]] std::size_t unread() const override;

  class Embedding;
  /// For the program that embeds the application.
  [[nodiscard]] Embedding& embedding() noexcept { return *embedding_; }

 private:
  /// A loop that was told to end in the middle of a run and goes on for so long hangs in a kernel
  /// of an operator.
  static constexpr std::chrono::nanoseconds kPatience = std::chrono::seconds(10);
  class Term;
  class Inlets;
  class Lateness;
  class Outlets;
  class Changes;
  class Watch;
  class Measures;
  class Ending;

  // the loop's description; see resident_description.cpp
  void make_graph() override;
  void open_graph() override;
  [[nodiscard]] DeviceLoopOptions loop_options();
  [[nodiscard]] GraphLoop loop_shape();

  // RegionRunner
  void drop_graph() noexcept override;
  void finish() override;
  [[nodiscard]] std::uint64_t graph_bytes() const noexcept override {
    return loop_->memory_bytes();
  }
  const std::uint64_t* iteration_of(NodeId node) override {
    return made_loop().iteration_in(launched_around(region().program.running(), node));
  }
  [[nodiscard]] Doorbell doorbell(std::size_t handler) const override {
    return made_loop().doorbell(handler);
  }
  [[nodiscard]] const std::uint64_t* is_new(std::size_t drive) const override {
    return made_loop().is_new(drive);
  }

  void add_room_term(Transmitter& transmitter, const std::vector<LiveEntity>& entities,
                     std::vector<SchedulingTerm*>& terms);
  [[nodiscard]] bool takes_any() const noexcept;
  void launch();
  void show_loop();
  void replace_loop();
  /// Whose nodes are captured.
  [[nodiscard]] DeviceLoop& made_loop() const noexcept {
    return next_loop_ != nullptr ? *next_loop_ : *loop_;
  }
  void finish_copies();
  /// Until so many iterations are done, the loop works on something, or will without our doing.
  [[nodiscard]] std::uint64_t busy_until(std::uint64_t finished) const;
  void act(std::uint64_t finished);
  void pass(std::uint64_t finished);
  void tell_poller();

  Poller& poller_;
  const std::shared_ptr<ResidentControl> control_;
  mutable std::mutex mutex_;  // guards what follows, but for what the poller reads
  ResidentSession session_;
  bool acts_ = false;  // in the next tick, which is an urgent one
  LoopNews news_;
  std::unique_ptr<Term> term_;
  std::vector<std::unique_ptr<DownstreamReceptiveSchedulingTerm>> room_terms_;
  std::unique_ptr<DeviceLoop> loop_;
  std::unique_ptr<DeviceLoop> next_loop_;                   // while it is made
  std::optional<std::chrono::nanoseconds> sleep_interval_;  // that the program has set
  const std::unique_ptr<Inlets> inlets_;
  const std::unique_ptr<Lateness> lateness_;
  const std::unique_ptr<Outlets> outlets_;
  const std::unique_ptr<Changes> changes_;
  const std::unique_ptr<Watch> watch_;
  const std::unique_ptr<Measures> measures_;
  const std::unique_ptr<Ending> ending_;
  const std::unique_ptr<Embedding> embedding_;
};

}  // namespace gxr
