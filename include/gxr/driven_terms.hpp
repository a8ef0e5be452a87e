#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "gxr/clock.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {

// Scheduling terms that other components drive, by calls from any thread. Each change is told to
// the scheduler, which asks the term again; nothing is polled.

/// What AsynchronousSchedulingTerm answers; names and order are GXF's.
enum class AsynchronousEventState : std::uint8_t {
  Ready,         ///< the entity may tick
  Wait,          ///< it may not; somebody inside the application will say when
  EventWaiting,  ///< likewise; somebody outside will, so that this is no deadlock
  EventDone,     ///< what was waited for has happened: the entity may tick
  EventNever,    ///< it will not happen any more: the entity has finished
};

/// Waits for something outside the application: a device, a socket, a computation on another
/// thread. Begins as Ready and keeps its state over ticks: a codelet sets EventWaiting when it has
/// started what takes time, and whoever notices the end (a callback, a thread) sets EventDone.
class GXR_API AsynchronousSchedulingTerm final : public SchedulingTerm {
 public:
  ~AsynchronousSchedulingTerm() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

  /// Callable from any thread.
  void set_event_state(AsynchronousEventState state);
  /// The state that was set last. Any thread.
  [[nodiscard]] AsynchronousEventState event_state() const noexcept {
    return state_.load(std::memory_order_acquire);
  }

 private:
  std::atomic<AsynchronousEventState> state_{AsynchronousEventState::Ready};
};

/// Lets its entity tick at times that somebody sets, one tick for each. READY once at the start,
/// then waiting until the first time is set.
class GXR_API TargetTimeSchedulingTerm final : public SchedulingTerm {
 public:
  ~TargetTimeSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

  /// The entity shall tick at `time` (ns). When a target is waited for already, `time` is that of
  /// the tick after it. Throws Error(InvalidArgument) when `time` is earlier than the target that
  /// is waited for. Callable from any thread.
  void set_next_target_time(std::int64_t time);
  /// While no target is set, the entity ticks when `receiver` has a message; that also replaces the
  /// tick at the start. For a component of the term's own entity that takes those messages; it
  /// calls this in initialize(), and the term forgets the receiver at the end of the run.
  void wait_for_messages(Receiver& receiver);

 private:
  Parameter<Handle<Clock>> clock_;
  Receiver* awaited_ = nullptr;         // of wait_for_messages()
  mutable std::mutex mutex_;            // guards the members below
  std::optional<std::int64_t> target_;  // of the next tick, when none is locked
  std::optional<std::int64_t> locked_;  // what check() has answered; holds until the tick
};

/// Starts and stops a node of a behaviour tree: the codelets of the tree set it READY to start its
/// entity and NEVER to finish it. The root is READY from the start.
class GXR_API BTSchedulingTerm final : public SchedulingTerm {
 public:
  ~BTSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

  /// READY, NEVER and WAIT_TIME, which needs `target` (ns on the scheduler's clock), mean what they
  /// say; all others mean WAIT. Callable from any thread.
  void set_condition(ConditionType condition, std::int64_t target = 0);
  /// Ready, Never, WaitTime or Wait.
  [[nodiscard]] ConditionType condition() const noexcept {
    return condition_.load(std::memory_order_acquire);
  }
  /// Is its entity the root of the tree (parameter `is_root`)?
  [[nodiscard]] bool is_root() const { return is_root_.get(); }

 private:
  Parameter<bool> is_root_;
  std::atomic<ConditionType> condition_{ConditionType::Wait};
  std::atomic<std::int64_t> target_{0};  // written before condition_ becomes WaitTime
};

}  // namespace gxr
