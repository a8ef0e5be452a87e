#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "executors/cuda_graph/poller.hpp"
#include "executors/cycle_counter.hpp"
#include "executors/executor.hpp"
#include "executors/greedy/greedy_jobs.hpp"
#include "executors/greedy/ready_set.hpp"
#include "executors/receiver_sync.hpp"
#include "executors/run_facts.hpp"
#include "executors/run_limits.hpp"
#include "executors/standing_clock.hpp"
#include "executors/status_question.hpp"
#include "executors/thread_settings.hpp"
#include "executors/timer_queue.hpp"
#include "gxr/clock.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduler.hpp"
#include "gxr/scheduling_term.hpp"
#include "runtime/instance.hpp"
#include "sdk/clock_listener.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/message_pool.hpp"

namespace gxr {

/// GXF's greedy order on one thread, driven by events: an entity is looked at only when something
/// happened that can change the answer of its scheduling terms.
///
/// Work goes round in cycles. A cycle visits the entities of the ready set in activation order with
/// one `now`; an entity that becomes ready behind the cursor waits for the next cycle, as in GXF,
/// where every cycle asks every entity. In steady state nothing is allocated and no lock is taken.
class GreedyExecutor final : private QueueObserver, private ClockListener, public Executor {
 public:
  /// `clock` must outlive the executor. Instance and pool are
  /// used by the thread of run().
  GreedyExecutor(Instance& instance, RunLimits limits, Clock& clock, MessagePool& pool,
                 ExecutorOptions options);
  ~GreedyExecutor() override;

  void run(Report& report) override;

  // run() in steps, all on one thread: begin, epochs, finish.
  void begin();
  /// Cycles until `budget_ms` of the clock have passed or nothing is ready; one cycle for 0 or
  /// less. False when nothing was ready. Throws Error when a component fails.
  bool run_epoch(double budget_ms);
  /// Between two epochs: puts a message onto a receiver as a delivery does. Throws like
  /// Queue::push().
  void push(Receiver& receiver, Message message);
  /// Between two epochs: what the scheduling terms of an entity with a codelet say now. Never for
  /// one that has finished. Throws Error when a term fails.
  Condition condition(std::uint32_t entity);
  /// Between two epochs: what failed so far.
  [[nodiscard]] const std::vector<Failure>& failures() const noexcept { return stop_failures_; }
  /// Stops all entities and fills the report.
  void finish(Report& report);

  void interrupt(bool by_signal) noexcept override;
  /// Before it sleeps it looks at what GPUs change.
  void set_poller(Poller& poller) noexcept {
    poller_ = &poller;
    poller.set_polled();
  }
  /// For run(), whose thread keeps it until the end. Call before.
  void set_timing(Timing timing) { timing_ = std::move(timing); }
  void notify(std::uint32_t entity) override;
  [[nodiscard]] RunStatus status(std::chrono::milliseconds patience) override;
  [[nodiscard]] std::uint64_t ticks() noexcept override;
  [[nodiscard]] Previews& previews() noexcept override { return facts_.previews(); }
  [[nodiscard]] Behavior behavior(std::uint32_t entity) const noexcept override {
    return observed_.behavior(entity);
  }
  [[nodiscard]] std::int64_t clock_time() const override { return clock_.timestamp(); }

 private:
  using State = GreedyJob::State;

  void keep_time(std::optional<AppliedThreadSettings>& settings);

  // one cycle
  void loop(Report& report);
  void run_cycle();
  void visit(std::uint32_t index);
  void visit_otherwise(GreedyJob& job, std::uint32_t index);
  void start(GreedyJob& job, std::uint32_t index);
  void stop(GreedyJob& job, std::vector<Failure>& failures);
  void wait(GreedyJob& job, std::uint32_t index);
  void execute(GreedyJob& job, std::uint32_t index);
  void execute_urgent(GreedyJob& job, std::uint32_t index, UrgentTerm& urgent);
  void execute_observed(GreedyJob& job, std::uint32_t index, bool is_measured);
  void tick(GreedyJob& job);
  void tick_measured(GreedyJob& job, std::uint32_t index);
  void finish_tick(GreedyJob& job);
  void finish(GreedyJob& job, std::uint32_t index);
  void restart(GreedyJob& job, std::uint32_t index);
  void measure(GreedyJob& job);
  /// Brings one of the messages a trail?
  bool take_in(GreedyJob& job);
  [[nodiscard]] Condition evaluate(GreedyJob& job);
  static bool may_end(const GreedyJob& job) noexcept;
  void set_state(GreedyJob& job, State state) noexcept;

  // messages from a transmitter to its receivers
  void distribute(const GreedyJob::Outlet& outlet);
  void deliver_to_all(const GreedyJob::Outlet& outlet, const Message& message);
  void deliver(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target, Message message);
  void wake(const GreedyJob::Target& target) noexcept;
  void deliver_by_call(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target,
                       Message message);
  void deliver_full(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target,
                    Message message);
  void lose(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target,
            const std::string& why);
  void message_arrived(Receiver& receiver) noexcept override;
  void space_freed(Receiver& receiver) noexcept override;

  // between cycles
  void take_due_timers();
  void poll_all();
  void take_notifications();
  /// Sleeps until a time or an event; false when neither can come.
  bool wait_for_something();
  [[nodiscard]] bool waits_for_ranks(std::size_t parked, std::size_t polled) const;
  void rest_until(std::int64_t earliest);
  void sleep_until(std::int64_t target);
  void spin_until(std::int64_t target);
  bool block();
  /// Has something happened that ends a sleep? Call with mutex_ held.
  [[nodiscard]] bool has_happened() const noexcept;
  void clock_changed() noexcept override;
  /// Sleeps of components are not cut any more, also when somebody interrupts now.
  void let_sleep() noexcept;
  void see_to_outside(GreedyJob& job, std::uint32_t index);
  void follow_turn(GreedyJob& job, std::uint32_t index);
  bool rescue(GreedyJob& job, std::uint32_t index, const Failure& failure, std::uint64_t before);
  void answer_status();
  void tell_status(EntityStatus& status, std::uint32_t index);
  [[nodiscard]] RunStatus status_frame(const char* executor);
  [[nodiscard]] bool has_stood_for_too_long() noexcept;
  bool look_at_gpus(bool has_time);
  bool look_at_ranks(std::int64_t earliest);
  [[nodiscard]] bool interrupted() const noexcept {
    return interrupted_.load(std::memory_order_relaxed);
  }
  void stop_early(Report& report);
  void stop_all(Report& report);

  // the end
  [[nodiscard]] Failure failure_here() const;
  void end(Report& report);
  void conclude(Report& report);
  void list_waiting(Report& report);
  void tell_end(Report& report);
  void collect_statistics(Report& report) const;

  Instance& instance_;
  const RunLimits limits_;
  Clock& clock_;
  MessagePool& pool_;
  ExecutorOptions options_;
  Timing timing_;
  Poller* poller_ = nullptr;
  StandingClock standing_;

  GreedyJobs jobs_;
  RunFacts facts_;
  ObservedTicks observed_;
  ReadySet ready_;
  TimerQueue timers_;
  bool clock_runs_;  // by itself: waiting for a time does not skip what comes from outside
  std::int64_t now_ = 0;
  std::int64_t duration_ = kForever;  // max_duration_ms
  std::int64_t end_ = 0;              // of that, on the clock
  std::int64_t last_ready_ = 0;
  bool has_polled_all_ = false;      // since something was ready
  std::vector<std::uint32_t> ends_;  // jobs that stand for other ranks
  std::uint64_t rest_events_ = 0;    // of options_.rest, whose notifications were taken
  std::int64_t ready_since_ = 0;     // of the job that is executed
  CycleCounter counter_;
  std::uint64_t stamp_ = 0;            // end of the tick before, for measuring
  bool any_ready_ = false;             // in this cycle
  const CallSite* outside_ = nullptr;  // this thread's call site before begin()
  std::size_t in_state_[GreedyJob::kStates] = {};
  CallSiteSlot* call_site_ = nullptr;        // this thread's marker
  std::vector<Failure> stop_failures_;       // besides the one that ended the run
  std::vector<Failure> late_stop_failures_;  // of entities that were stopped because the run ended
  OverfullReceivers overfull_;

  std::atomic<std::thread::id> thread_;
  std::atomic<bool> interrupted_{false};
  std::atomic<bool> interrupted_by_signal_{false};
  std::atomic<bool> has_notifications_{false};
  StatusQuestion status_{true};
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<std::uint32_t> notified_;
  bool clock_changed_ = false;  // since it was last asked for the time to sleep
  bool cuts_sleeps_ = true;     // of components, when the run is interrupted
};

}  // namespace gxr
