#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <latch>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "executors/cycle_counter.hpp"
#include "executors/executor.hpp"
#include "executors/observed_tick.hpp"
#include "executors/parallel/parallel_jobs.hpp"
#include "executors/parallel/work_queues.hpp"
#include "executors/receiver_sync.hpp"
#include "executors/run_facts.hpp"
#include "executors/run_limits.hpp"
#include "executors/standing_clock.hpp"
#include "executors/status_question.hpp"
#include "executors/thread_settings.hpp"
#include "executors/timer_queue.hpp"
#include "gxr/clock.hpp"
#include "observe/trace_events.hpp"
#include "runtime/instance.hpp"
#include "sdk/clock_listener.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {

/// What MultiThreadScheduler and EventBasedScheduler ask of the executor.
struct ParallelOptions {
  std::uint32_t workers = 1;
  bool strict_pinning = false;
  RunLimits limits;
  Timing timing;
  std::vector<EntityId> pinned;  ///< entities with a thread of their own
  /// Of the workers, then of the threads of pinned entities; may be shorter.
  std::vector<ThreadSettings> threads;
};

/// Runs a region on several threads. Entities that wait are not polled: one is looked at after its
/// own tick and when an event names it - a message, room downstream, a time, a notification. An
/// entity is looked at by one thread at a time, and only that thread touches its receivers: what
/// others send arrives in an Inbox. The thread of run() keeps the time and judges the end.
class ParallelExecutor final : private ClockListener, public Executor {
 public:
  ParallelExecutor(Instance& instance, Clock& clock, ParallelOptions shape,
                   ExecutorOptions options);
  ~ParallelExecutor() override;

  void run(Report& report) override;
  void interrupt(bool by_signal) noexcept override;
  void notify(std::uint32_t entity) override;
  [[nodiscard]] RunStatus status(std::chrono::milliseconds patience) override;
  [[nodiscard]] std::uint64_t ticks() noexcept override;
  [[nodiscard]] Previews& previews() noexcept override { return facts_.previews(); }
  [[nodiscard]] Behavior behavior(std::uint32_t entity) const noexcept override {
    return observed_.behavior(entity);
  }
  [[nodiscard]] std::int64_t clock_time() const override { return clock_.timestamp(); }
  [[nodiscard]] std::size_t messages_in(const Receiver& receiver) const override;

 private:
  using State = ParallelJob::State;
  using Rest = ParallelJob::Rest;
  struct Worker;

  // workers
  void work(std::uint32_t number);
  void set_up_thread(std::uint32_t number) noexcept;
  void look_at(Worker& worker, std::uint32_t index);
  bool advance(Worker& worker, ParallelJob& job, std::uint32_t index);
  bool tick(Worker& worker, ParallelJob& job, std::uint32_t index, std::int64_t now);
  void finish_tick(Worker& worker, ParallelJob& job, std::int64_t now);
  void see_to_outside(Worker& worker, ParallelJob& job, std::uint32_t index);
  void follow_turn(Worker& worker, ParallelJob& job, std::uint32_t index);
  bool tick_observed(Worker& worker, ParallelJob& job, std::uint32_t index, std::int64_t now,
                     const std::function<void()>& after);
  static void take_in_for_terms(Worker& worker, ParallelJob& job);
  bool claim_room(Worker& worker, const ParallelJob& job);
  void release_room(Worker& worker, std::span<const ParallelJob::Claim> claims);
  [[nodiscard]] static bool is_due(const Condition& condition, std::int64_t now) noexcept;
  bool goes_on_at_once(Worker& worker, ParallelJob& job, std::uint32_t index);
  void rest_until(const Condition& condition, Worker& worker, ParallelJob& job, std::uint32_t index,
                  std::int64_t now);
  [[nodiscard]] Condition evaluate(Worker& worker, ParallelJob& job, std::int64_t now);
  bool start(ParallelJob& job, std::uint32_t index, std::int64_t now);
  [[nodiscard]] static bool stays_finished(const ParallelJob& job) noexcept;
  void stop(Worker* worker, ParallelJob& job, std::int64_t now);
  bool tick_if_urgent(Worker& worker, ParallelJob& job, std::uint32_t index, std::int64_t now);
  void take_in(Worker& worker, ParallelJob& job);
  void settle(Worker& worker, ParallelJob& job);
  /// `worker` is null for other threads.
  void distribute(Worker* worker, const ParallelJob::Outlet& outlet);
  void deliver(Worker* worker, const ParallelJob::Outlet& outlet, const ParallelJob::Target& target,
               Message message);
  bool deliver_by_call(const ParallelJob::Outlet& outlet, const ParallelJob::Target& target,
                       Message message);
  void set_rest(ParallelJob& job, std::uint32_t index, Rest rest);
  void set_timer(std::uint32_t index, std::int64_t target);
  /// `worker` is null for other threads.
  void wake(Worker* worker, std::uint32_t index);
  [[nodiscard]] bool turn_to_queued(std::uint32_t index);
  void enqueue(Worker* worker, std::uint32_t index);
  /// Of the exception being handled, on a thread that is in the call `site`.
  void fail(const CallSite& site) noexcept;
  void stop_for_failure() noexcept;

  // the thread of run()
  void add_tracks(TraceEvents& trace);
  void start_workers();
  [[nodiscard]] std::uint32_t threads_to_set_up() const noexcept;
  void join_workers();
  void keep_time(Report& report);
  bool lock_memory_if_said(Report& report);
  void keep_time_as_said(std::optional<AppliedThreadSettings>& settings);
  std::int64_t patience_left();
  std::int64_t deadlock_patience_left();
  [[nodiscard]] bool waits_for_ranks() const noexcept;
  bool stop_finished(std::int64_t now);
  void stop_at_rest(ParallelJob& job, std::int64_t now);
  std::int64_t earliest_timer();
  [[nodiscard]] bool has_only_polls();
  bool poll_all();
  void release_due(std::int64_t now);
  [[nodiscard]] std::int64_t standing_time_left(bool outside) noexcept;
  [[nodiscard]] bool are_all_started() const noexcept { return starts_.load() >= jobs_.size(); }
  void wait(std::int64_t target, std::int64_t patience, bool at_rest);
  void wait_in_real_time(std::int64_t target, std::int64_t most);
  bool wait_for_alert(std::int64_t real_time);
  void alert() noexcept;
  void come_to_rest() noexcept;
  void clock_changed() noexcept override { alert(); }
  [[nodiscard]] RunStatus status_frame();
  void tell_status(EntityStatus& status, std::uint32_t index);
  void tell_idle(EntityStatus& status, ParallelJob& job);
  [[nodiscard]] std::string description() const;
  void end(Report& report);
  void stop_all(Report& report, std::int64_t now);
  void list_waiting(Report& report, std::int64_t now);

  Instance& instance_;
  Clock& clock_;
  const ParallelOptions shape_;
  const ExecutorOptions options_;
  ParallelJobs jobs_;
  RunFacts facts_;
  ObservedTicks observed_;
  WorkQueues queues_;
  CycleCounter counter_;
  const bool clock_runs_;  // by itself
  OverfullReceivers overfull_;
  std::int64_t end_ = kForever;  // of max_duration_ms, on the clock
  StandingClock standing_;
  std::int64_t duration_ = kForever;         // max_duration_ms
  std::int64_t real_end_ = kForever;         // likewise on the steady clock, where real time counts
  std::vector<TraceEvents::Track*> tracks_;  // by worker; none without a trace
  std::latch set_up_;       // threads whose settings the kernel may refuse, until it has taken them
  std::latch may_work_{1};  // nobody ticks before
  std::vector<std::thread> threads_;
  std::optional<std::int64_t> resting_since_;  // steady time, while a deadlock is awaited
  std::uint64_t activity_at_rest_ = 0;         // activity_ at that time

  std::mutex timers_mutex_;
  TimerQueue timers_;  // guarded by timers_mutex_

  std::vector<WorkQueues::Job> due_;  // of release_due(); has room for all jobs

  std::atomic<std::uint32_t> polled_{0};    // jobs that rest in Rest::Poll
  std::uint64_t polled_at_ = UINT64_MAX;    // activity_ when all of them were asked last
  std::atomic<std::uint32_t> outside_{0};   // jobs that wait for something outside
  std::atomic<std::uint32_t> ends_{0};      // of those, jobs that stand for other ranks
  std::atomic<std::size_t> starts_{0};      // of jobs
  std::atomic<std::uint32_t> finished_{0};  // jobs that answered NEVER
  std::atomic<std::uint64_t> activity_{0};  // grows whenever a rest ends
  std::atomic<bool> interrupted_{false};
  std::atomic<bool> interrupted_by_signal_{false};
  std::atomic<bool> failed_{false};
  std::atomic<bool> failed_without_words_{false};  // for lack of memory

  StatusQuestion status_{false};
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool alerted_ = false;
  std::size_t finished_workers_ = 0;
  std::vector<Failure> failures_;
  std::vector<Failure> stop_failures_;  // of stop() of entities that finished
};

}  // namespace gxr
