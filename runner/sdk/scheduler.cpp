#include "gxr/scheduler.hpp"

#include <string>

#include "gxr/error.hpp"

namespace gxr {

System::~System() = default;
Scheduler::~Scheduler() = default;
GreedyScheduler::~GreedyScheduler() = default;
ThreadedScheduler::~ThreadedScheduler() = default;
MultiThreadScheduler::~MultiThreadScheduler() = default;
EventBasedScheduler::~EventBasedScheduler() = default;
EpochScheduler::~EpochScheduler() = default;

namespace {

constexpr const char* kOnClock = "Measured with the clock. Left out: no limit.";
constexpr const char* kNegativeIsNever = "Negative: never.";

/// The ends of a run, the same for every scheduler but for the texts.
void declare_run_ends(Interface& interface, Parameter<std::int64_t>& max_duration_ms,
                      Parameter<bool>& stop_on_deadlock,
                      Parameter<std::int64_t>& stop_on_deadlock_timeout, const char* duration_text,
                      const char* timeout_text) {
  interface
      .parameter(max_duration_ms, "max_duration_ms", "Time after which the run is ended",
                 duration_text)
      .optional()
      .minimum(0)
      .unit("ms");
  interface
      .parameter(stop_on_deadlock, "stop_on_deadlock",
                 "End the run when every entity waits for another one",
                 "false: go on waiting for something from outside.")
      .default_value(true);
  interface
      .parameter(stop_on_deadlock_timeout, "stop_on_deadlock_timeout",
                 "How long all entities must wait before stop_on_deadlock ends the run",
                 timeout_text)
      .default_value(0)
      .unit("ms");
}

void declare_network_timeout(Interface& interface, Parameter<std::int64_t>& timeout) {
  interface
      .parameter(timeout, "network_connection_timeout",
                 "Accepted for GXF's files, no effect in gxr",
                 "How long GXF waits for connections of its network queues before it runs.")
      .default_value(5000)
      .unit("ms");
}

/// A parameter by which GXF tunes its event-based scheduler.
template <class T>
struct DispatcherParameter {
  const char* key;
  T default_value;
};

constexpr DispatcherParameter<bool> kDispatcherSwitches[] = {
    {"enable_queue_stealing", true},
    {"default_queue_assign_round_robin", true},
    {"enable_worker_postcheck_fastpath", true},
    {"log_perf_stats", false},
};
constexpr DispatcherParameter<std::int64_t> kDispatcherNumbers[] = {
    {"steal_scan_limit", 0},
    {"postcheck_fallback_notify_interval", 256},
    {"postcheck_fallback_notify_min_workers", 8},
    {"postcheck_fallback_notify_min_period_ns", 100'000},
    {"internal_event_shard_count", 0},
    {"dispatcher_internal_pop_batch_size", 32},
    {"wait_state_shard_count", 1},
};

template <class T, std::size_t N>
void declare_dispatcher(Interface& interface, std::array<Parameter<T>, N>& parameters,
                        const DispatcherParameter<T> (&table)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    interface.parameter(parameters[i], table[i].key, "Tunes GXF's dispatcher, no effect in gxr")
        .default_value(table[i].default_value);
  }
}

}  // namespace

void TimeKeeping::declare(Interface& interface) {
  threads_.declare_cores(interface, "CPU cores on which the threads run",
                         "Each of them may use all of these. Threads of pinned entities run where "
                         "their CPUThread or ThreadPool says. Empty: any core.");
  threads_.declare_policy(interface, "Left out: the policy of the process.");
  interface
      .parameter(lock_memory_, "lock_memory", "Whether all memory of the process stays in RAM",
                 "So that no tick waits for a page. Linux asks for a permission: CAP_IPC_LOCK, or "
                 "RLIMIT_MEMLOCK.")
      .default_value(false);
  interface
      .parameter(spin_, "spin", "Active waiting before a time that is waited for",
                 "The thread that keeps the time sleeps until so long before, and then keeps its "
                 "core busy: ticks come more punctually. A time longer than any wait: it never "
                 "sleeps. 0: it only sleeps. Without effect on clocks that are not of real time.")
      .default_value(Duration{0});
}

void TimeKeeping::check() const {
  threads_.check();
  if (spin() < 0) {
    throw Error(ErrorCode::InvalidParameter, "parameter 'spin': must not be negative");
  }
}

void GreedyScheduler::initialize() { time_keeping_.check(); }

void GreedyScheduler::declare(Interface& interface) {
  interface
      .parameter(clock_, "clock", "Clock that the application runs by",
                 "Needed, unless 'realtime' says which one to make.")
      .optional();
  interface
      .parameter(realtime_, "realtime", "Makes a clock when none is given (deprecated: name one)",
                 "true: a RealtimeClock, false: a ManualClock.")
      .optional();
  declare_run_ends(interface, max_duration_ms_, stop_on_deadlock_, stop_on_deadlock_timeout_,
                   kOnClock, kNegativeIsNever);
  interface
      .parameter(check_recession_period_ms_, "check_recession_period_ms",
                 "Pause before entities that all wait are looked at again")
      .default_value(0.0)
      .minimum(0)
      .unit("ms");
  declare_network_timeout(interface, network_connection_timeout_);
  time_keeping_.declare(interface);
}

Clock* GreedyScheduler::clock() const { return clock_.has_value() ? clock_.get().get() : nullptr; }

Clock* ThreadedScheduler::clock() const { return clock_.get().get(); }

void ThreadedScheduler::declare_clock(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock that the application runs by");
}

void ThreadedScheduler::initialize() {
  if (*worker_thread_number_ < 1) {
    throw Error(ErrorCode::OutOfRange,
                "parameter 'worker_thread_number' must be at least 1, but is " +
                    std::to_string(*worker_thread_number_));
  }
  time_keeping_.check();
}

void ThreadedScheduler::declare_ends(Interface& interface, const char* duration_text,
                                     const char* timeout_text) {
  declare_run_ends(interface, max_duration_ms_, stop_on_deadlock_, stop_on_deadlock_timeout_,
                   duration_text, timeout_text);
}

void ThreadedScheduler::declare_workers(Interface& interface) {
  interface
      .parameter(worker_thread_number_, "worker_thread_number", "Threads that tick entities",
                 "Those of pinned entities come on top.")
      .default_value(1)
      .range(1, 1024);
  interface
      .parameter(thread_pool_allocation_auto_, "thread_pool_allocation_auto",
                 "Accepted for GXF's files, without effect (as in GXF)")
      .default_value(true);
  interface
      .parameter(worker_thread_name_id_, "worker_thread_name_id",
                 "What the operating system calls these threads",
                 "A hyphen and the number of the thread follow, 'NAME-1'; Linux has room for 15 "
                 "characters in all. The thread of a pinned entity has the entity's name.")
      .default_value("WorkerThread");
  declare_network_timeout(interface, network_connection_timeout_);
  time_keeping_.declare(interface);
}

void MultiThreadScheduler::declare(Interface& interface) {
  declare_clock(interface);
  declare_ends(interface, kOnClock, kNegativeIsNever);
  declare_workers(interface);
  interface
      .parameter(check_recession_period_ms_, "check_recession_period_ms",
                 "Added to stop_on_deadlock_timeout",
                 "GXF asks waiting entities again after this time; here they are told.")
      .default_value(5.0)
      .minimum(0)
      .unit("ms");
  interface
      .parameter(strict_job_thread_pinning_, "strict_job_thread_pinning",
                 "Threads of pinned entities run nothing else",
                 "A CPUThread with pin_entity pins its entity, when a ThreadPool is in the entity's "
                 "group.")
      .default_value(false);
}

void EventBasedScheduler::declare(Interface& interface) {
  declare_clock(interface);
  declare_ends(interface,
               "In real time, as in GXF; with a ManualClock, on the clock. Left out: no limit.",
               "Negative: the same as 0.");
  declare_workers(interface);
  declare_dispatcher(interface, dispatcher_switches_, kDispatcherSwitches);
  declare_dispatcher(interface, dispatcher_numbers_, kDispatcherNumbers);
}

void EpochScheduler::declare(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock that the application runs by");
}

Clock* EpochScheduler::clock() const { return clock_.get().get(); }

}  // namespace gxr
