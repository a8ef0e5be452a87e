#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/clock.hpp"
#include "gxr/component.hpp"
#include "gxr/interface.hpp"
#include "gxr/resource.hpp"

namespace gxr {

/// Part of the machinery that runs an application, as opposed to its work.
class GXR_API System : public Component {
 public:
  ~System() override;
};

/// Declares how the entities of an application are run. The engine reads the parameters and brings
/// the executor.
class GXR_API Scheduler : public System {
 public:
  ~Scheduler() override;
  /// The clock that the application runs by; may be null.
  [[nodiscard]] virtual Clock* clock() const = 0;
};

/// How the threads of a scheduler keep their time: parameters that schedulers have in common.
class GXR_API TimeKeeping {
 public:
  /// Declares all of them.
  void declare(Interface& interface);
  /// Throws Error: OutOfRange when the machine lacks one of the cores, InvalidParameter for a
  /// negative spin().
  void check() const;

  /// Cores and policy of the threads.
  [[nodiscard]] const ThreadParameters& threads() const noexcept { return threads_; }
  /// Whether the memory of the process is to stay in RAM.
  [[nodiscard]] bool locks_memory() const { return lock_memory_.get(); }
  /// So many ns before a time that is waited for, the thread waits actively.
  [[nodiscard]] std::int64_t spin() const { return spin_.get().nanoseconds; }

 private:
  ThreadParameters threads_;
  Parameter<bool> lock_memory_;
  Parameter<Duration> spin_;
};

/// One thread; entities tick in the order of the YAML.
class GXR_API GreedyScheduler final : public Scheduler {
 public:
  ~GreedyScheduler() override;
  void declare(Interface& interface) override;
  /// Throws what TimeKeeping::check() throws.
  void initialize() override;
  [[nodiscard]] Clock* clock() const override;

  /// Whether time is real, where no `clock` is named; empty: not said.
  [[nodiscard]] const std::optional<bool>& realtime() const { return realtime_.try_get(); }
  /// Time of the clock after which the run is ended; empty: no limit.
  [[nodiscard]] const std::optional<std::int64_t>& max_duration_ms() const {
    return max_duration_ms_.try_get();
  }
  /// Whether the run ends when every entity waits for another one.
  [[nodiscard]] bool stop_on_deadlock() const { return stop_on_deadlock_.get(); }
  /// Pause before entities that all wait are looked at again, in ms.
  [[nodiscard]] double check_recession_period_ms() const {
    return check_recession_period_ms_.get();
  }
  /// How long all entities must wait, in ms, before stop_on_deadlock() ends the run.
  [[nodiscard]] std::int64_t stop_on_deadlock_timeout() const {
    return stop_on_deadlock_timeout_.get();
  }
  /// For its thread, which is the one that runs the application.
  [[nodiscard]] const TimeKeeping& time_keeping() const noexcept { return time_keeping_; }

 private:
  Parameter<Handle<Clock>> clock_;
  Parameter<bool> realtime_;
  Parameter<std::int64_t> max_duration_ms_;
  Parameter<bool> stop_on_deadlock_;
  Parameter<double> check_recession_period_ms_;
  Parameter<std::int64_t> stop_on_deadlock_timeout_;
  Parameter<std::int64_t> network_connection_timeout_;  // without effect
  TimeKeeping time_keeping_;
};

/// What MultiThreadScheduler and EventBasedScheduler share: worker threads and the ends of a run.
/// Not a type of its own in YAML.
class GXR_API ThreadedScheduler : public Scheduler {
 public:
  ~ThreadedScheduler() override;
  /// Throws Error(OutOfRange) when there is no worker.
  void initialize() override;
  [[nodiscard]] Clock* clock() const final;

  /// Time after which the run is ended, on clock() or, with an EventBasedScheduler, real time;
  /// empty: no limit.
  [[nodiscard]] const std::optional<std::int64_t>& max_duration_ms() const {
    return max_duration_ms_.try_get();
  }
  /// Whether the run ends when every entity waits for another one.
  [[nodiscard]] bool stop_on_deadlock() const { return stop_on_deadlock_.get(); }
  /// How long all entities must wait before stop_on_deadlock ends the run. Negative: it never does;
  /// with an EventBasedScheduler the same as 0.
  [[nodiscard]] std::int64_t stop_on_deadlock_timeout() const {
    return stop_on_deadlock_timeout_.get();
  }
  /// Threads that tick entities, at least 1; those of pinned entities come on top.
  [[nodiscard]] std::int64_t worker_thread_number() const { return worker_thread_number_.get(); }
  /// Without effect, as in GXF.
  [[nodiscard]] bool thread_pool_allocation_auto() const {
    return thread_pool_allocation_auto_.get();
  }
  /// What the operating system calls the worker threads, before a hyphen and their number.
  [[nodiscard]] const std::string& worker_thread_name_id() const {
    return worker_thread_name_id_.get();
  }
  /// For its worker threads. Those of pinned entities have what their CPUThread or ThreadPool says.
  [[nodiscard]] const TimeKeeping& time_keeping() const noexcept { return time_keeping_; }

 protected:
  /// Declares `clock`.
  void declare_clock(Interface& interface);
  /// The texts say what max_duration_ms counts on, and what a negative timeout means.
  void declare_ends(Interface& interface, const char* duration_text, const char* timeout_text);
  /// Declares the parameters of the worker threads.
  void declare_workers(Interface& interface);

 private:
  Parameter<Handle<Clock>> clock_;
  Parameter<std::int64_t> max_duration_ms_;
  Parameter<bool> stop_on_deadlock_;
  Parameter<std::int64_t> stop_on_deadlock_timeout_;
  Parameter<std::int64_t> worker_thread_number_;
  Parameter<bool> thread_pool_allocation_auto_;
  Parameter<std::string> worker_thread_name_id_;
  Parameter<std::int64_t> network_connection_timeout_;  // without effect
  TimeKeeping time_keeping_;
};

/// Several worker threads; an entity never ticks on two at once.
class GXR_API MultiThreadScheduler final : public ThreadedScheduler {
 public:
  ~MultiThreadScheduler() override;
  void declare(Interface& interface) override;

  /// Added to stop_on_deadlock_timeout(), as in GXF; waiting entities are not polled.
  [[nodiscard]] double check_recession_period_ms() const {
    return check_recession_period_ms_.get();
  }
  /// Whether threads of pinned entities run these alone, and the other threads only the rest.
  [[nodiscard]] bool strict_job_thread_pinning() const { return strict_job_thread_pinning_.get(); }

 private:
  Parameter<double> check_recession_period_ms_;
  Parameter<bool> strict_job_thread_pinning_;
};

/// Several worker threads, told of every change that can make an entity ready.
class GXR_API EventBasedScheduler final : public ThreadedScheduler {
 public:
  ~EventBasedScheduler() override;
  void declare(Interface& interface) override;

 private:
  // Tuning of GXF's dispatcher, without effect here.
  std::array<Parameter<bool>, 4> dispatcher_switches_;
  std::array<Parameter<std::int64_t>, 7> dispatcher_numbers_;
};

/// Entities tick on the thread of the embedding program, in the time that it gives them.
class GXR_API EpochScheduler final : public Scheduler {
 public:
  ~EpochScheduler() override;
  void declare(Interface& interface) override;
  [[nodiscard]] Clock* clock() const override;

 private:
  Parameter<Handle<Clock>> clock_;
};

}  // namespace gxr
