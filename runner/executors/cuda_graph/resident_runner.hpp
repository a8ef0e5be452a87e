#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device/device_engine.hpp"
#include "device/device_loop.hpp"
#include "executors/cuda_graph/late_inputs.hpp"
#include "executors/cuda_graph/poller.hpp"
#include "executors/cuda_graph/region_runner.hpp"
#include "executors/cuda_graph/resident_control.hpp"
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
/// results are published; and one for the room behind each output.
class ResidentRunner final : public RegionRunner, public MessageAccount, private Polled {
 public:
  ResidentRunner(const Plan& plan, const Region& region, Instance& instance, Context& context,
                 Poller& poller, std::shared_ptr<ResidentControl> control);
  ~ResidentRunner() override;

  [[nodiscard]] LiveEntity merge(const std::vector<LiveEntity>& entities) override;
  void tick() override;
  [[nodiscard]] bool hangs() const noexcept override { return hangs_; }
  void end_early() noexcept override;
  [[nodiscard]] std::vector<Discard> discards() const override;

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
  /// A loop that was told to end in the middle of a run and goes on for so long hangs in somebody's
  /// kernel.
  static constexpr std::chrono::nanoseconds kPatience = std::chrono::seconds(10);
  class Term;
  class PinnedMemory;
  void build_graph() override;
  void drop_graph() noexcept override;
  void finish() override;
  void end();
  void tell_statistics();
  [[nodiscard]] std::uint64_t graph_bytes() const noexcept override {
    return loop_->memory_bytes();
  }
  const std::uint64_t* iteration_of(NodeId node) override {
    return loop_->iteration_in(launched_around(node));
  }
  [[nodiscard]] Doorbell doorbell(std::size_t handler) const override {
    return loop_->doorbell(handler);
  }
  [[nodiscard]] const std::uint64_t* is_new(std::size_t drive) const override {
    return loop_->is_new(drive);
  }

  void add_room_term(Transmitter& transmitter, const std::vector<LiveEntity>& entities,
                     std::vector<SchedulingTerm*>& terms);
  [[nodiscard]] DeviceLoopOptions loop_options();
  [[nodiscard]] GraphLoop loop_shape();
  [[nodiscard]] std::uint64_t count_limit() const;
  Condition check();
  [[nodiscard]] std::vector<MeasuredIteration> measured();
  void look_for_changes();
  [[nodiscard]] std::vector<NodeId> nodes_to_replace() const;
  void give_rings();
  [[nodiscard]] std::uint64_t first_news() const noexcept;
  [[nodiscard]] bool can_change(std::uint64_t finished) const noexcept;
  void change();
  void keep_measures();
  [[nodiscard]] std::string place_of_failure();
  [[noreturn]] void fail(const Error& error);
  void require_progress(std::uint64_t finished, bool busy);
  [[nodiscard]] std::string explain() const;
  void events(TermEvents& events);
  [[nodiscard]] bool takes_any() const noexcept;
  [[nodiscard]] bool can_accept(std::uint64_t finished) const;
  [[nodiscard]] bool can_accept(std::size_t input, std::uint64_t finished) const;
  [[nodiscard]] std::uint64_t taken(std::size_t input, std::uint64_t finished) const;
  [[nodiscard]] static bool has_input(const Input& input);
  [[nodiscard]] bool waits_for_inputs(std::uint64_t finished);
  [[nodiscard]] bool waits_for_room(std::uint64_t finished);
  [[nodiscard]] bool waits_for_others(std::uint64_t finished);
  [[nodiscard]] bool are_inputs_late(std::uint64_t finished);
  [[noreturn]] void fail_for_late_inputs() const;
  void go_on_without_late_inputs();
  [[nodiscard]] bool has_work(std::uint64_t finished) const noexcept;
  [[nodiscard]] bool can_publish(std::uint64_t finished) const noexcept;
  [[nodiscard]] bool is_busy(std::uint64_t finished) const noexcept;
  void look_after_loop();
  void accept(std::uint64_t finished);
  void give(const std::vector<Message>& messages);
  [[nodiscard]] bool put(std::size_t input, const Message& message);
  struct Results {
    std::optional<Origin> origin;
    std::vector<Message> messages;  // by output
  };
  void publish_next();
  [[nodiscard]] bool may_copy_ahead() const;
  Results fetch_next();
  [[nodiscard]] const Origin* origin_of_next();
  Message fetch(std::size_t output, const Origin* origin);
  void launch();
  void require_running();
  void require_open() const;
  void end_loop(GraphStop how);
  void end_running_loop(std::unique_lock<std::mutex>& lock);
  bool wait_for_end(std::unique_lock<std::mutex>* lock, std::chrono::nanoseconds patience,
                    bool while_it_runs = false);
  void wait_for_results(std::unique_lock<std::mutex>& lock);
  [[noreturn]] void throw_does_not_end(const char* why, std::chrono::nanoseconds patience) const;
  void finish_streams();
  void warn_of_lost_results(std::uint64_t iterations);
  void wake_entity() noexcept;

  // Polled
  [[nodiscard]] bool expects_news() const noexcept override;
  [[nodiscard]] bool has_news() noexcept override;
  void remind() noexcept override;
  [[nodiscard]] std::chrono::steady_clock::time_point reminds_at() const noexcept override {
    return late_at_.load(std::memory_order_acquire);
  }
  [[nodiscard]] const Component& component() const noexcept override { return *this; }

  Poller& poller_;
  std::shared_ptr<ResidentControl> control_;
  std::mutex mutex_;  // guards what follows, but for what the poller reads
  std::unique_ptr<Term> term_;
  std::vector<std::unique_ptr<DownstreamReceptiveSchedulingTerm>> room_terms_;
  std::unique_ptr<PinnedMemory> pinned_;
  std::unique_ptr<DeviceLoop> loop_;
  std::vector<bool> on_device_;            // by output: where messages have their tensors
  std::optional<LeasedStream> in_stream_;  // copies that the processor does not do
  std::optional<LeasedStream> out_stream_;
  std::uint64_t limit_ = ~std::uint64_t{0};  // iterations at most
  std::uint64_t rung_ = 0;                   // iterations that the program asked for
  std::uint64_t published_ = 0;              // results of each output
  std::uint64_t fetched_ = 0;                // of them, and the next one, if that is there
  // Of the last fetched results, a ring: the work of their stream that copies them; 0: it is done.
  std::vector<std::uint64_t> made_room_;
  std::optional<Results> next_;
  bool copies_ahead_ = false;  // the next one is fetched while one is waited for
  /// What an input was given since the launch.
  struct Accepted {
    std::uint64_t count = 0;
    std::uint64_t shown = 0;  // of them, those that fetched results are made of
    // Of the last of them, rings:
    std::vector<Origin> origins;
    std::vector<std::uint64_t> copied;  // the work of the inputs' stream that does; 0: it is done
    bool is_copied_by_stream = false;   // has one been?
  };
  std::vector<Accepted> accepted_;         // by input
  std::optional<LateInputs> late_inputs_;  // when inputs have a time to come
  std::uint64_t skipped_ = 0;              // messages, since another input was late
  std::vector<Message> last_;              // by input, what it is held with
  bool runs_ = false;
  bool is_over_ = false;    // it was told to end
  bool torn_down_ = false;  // by the program, which may launch it again
  // A program has changed parameters: the loop ends when its inputs so far are worked on, and goes
  // on with other nodes when all results have passed.
  bool changing_ = false;
  std::uint64_t change_at_ = 0;  // iterations
  std::uint64_t changes_ = 0;
  std::uint64_t parameter_sets_ = 0;
  std::uint64_t put_ = 0;  // of the iterations that the program asked for, those the loop knows
  // Of the launches since then:
  std::int64_t ran_ns_ = 0;
  std::uint64_t late_ = 0;
  std::vector<MeasuredIteration> measured_;
  bool hangs_ = false;
  std::exception_ptr end_failure_;  // of end_early()
  bool has_tripped_ = false;        // the watchdog
  bool has_failed_ = false;         // the device
  bool was_busy_ = false;           // when it was asked last
  std::uint64_t looked_after_ = 0;  // iterations that were done then
  struct Progress {
    std::uint64_t finished = 0;
    std::uint64_t heartbeat = 0;
    bool operator==(const Progress&) const = default;
  };
  Progress progress_;
  std::optional<std::chrono::steady_clock::time_point> stands_since_;  // at progress_, while busy
  std::chrono::nanoseconds timeout_{0};
  std::chrono::steady_clock::time_point began_;

  // For the poller.
  std::atomic<bool> expects_{false};
  std::atomic<bool> has_deadline_{false};
  std::atomic<bool> runs_unasked_{false};    // also while there is nothing to work on
  std::atomic<std::uint64_t> news_from_{0};  // fewer iterations concern nobody
  std::atomic<bool> reminded_{false};
  std::atomic<LateInputs::Clock::time_point> late_at_{LateInputs::Clock::time_point::max()};
  std::atomic<std::uint64_t> seen_{0};  // iterations that somebody was told of
};

}  // namespace gxr
