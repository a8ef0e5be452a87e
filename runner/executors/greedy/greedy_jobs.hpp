#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "executors/observed_tick.hpp"
#include "executors/queue_watchers.hpp"
#include "executors/run_conclusion.hpp"
#include "executors/term_checks.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"
#include "observe/call_site.hpp"
#include "runtime/instance.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

/// One entity as the greedy executor runs it: everything a tick touches, with the usual types of
/// queues and terms resolved so that they are read without a virtual call.
struct GreedyJob {
  enum class State : std::uint8_t {
    Fresh,     ///< start() has not run
    Waiting,   ///< for an event inside the application, or about to be looked at
    Timed,     ///< for a time
    Polled,    ///< for the next poll, which keeps no run alive
    Parked,    ///< for an event from outside (WAIT_EVENT)
    Held,      ///< must not tick; see LiveEntity::hold
    Finished,  ///< NEVER; stop() has run
  };
  static constexpr std::size_t kStates = 7;

  using Range = MessageRange<StagedRing>;
  struct Inlet {
    StagedRing* ring = nullptr;  ///< of a DoubleBufferReceiver, else null
    Receiver* receiver = nullptr;
  };
  /// One receiver behind a transmitter.
  struct Target {
    StagedRing* ring = nullptr;  ///< of a DoubleBufferReceiver, else null
    std::uint32_t watcher =
        kNone;  ///< the only job that waits for its messages; kNone: look into the table
    mutable bool has_lost = false;  ///< a message for lack of room
    Receiver* receiver = nullptr;
  };
  struct Outlet {
    StagedRing* ring = nullptr;  ///< of a DoubleBufferTransmitter, else null
    Transmitter* transmitter = nullptr;
    std::span<Target> targets;
  };

  State state = State::Fresh;
  bool observed = false;               ///< ticks by ObservedTicks
  bool guarded = false;                ///< likewise, and see is_guarded()
  std::uint32_t ticks_to_measure = 1;  ///< ticks until one is measured
  std::span<Range> ranges;
  std::span<TermCheck> terms;
  std::span<Inlet> inbox;
  std::span<CodeletTick> ticks;
  std::span<Outlet> outbox;
  MeasuredTicks measured;
  Polling polling;
  LiveEntity* entity = nullptr;
};

/// All jobs in activation order, and who is to be looked at when a queue changes. Made once, before
/// the first tick.
class GreedyJobs {
 public:
  /// `observer` is told of changes of all receivers until release().
  GreedyJobs(Instance& instance, QueueObserver& observer);
  /// The receivers forget the observer.
  void release() noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return jobs_.size(); }
  GreedyJob& operator[](std::uint32_t index) noexcept { return jobs_[index]; }
  const GreedyJob& operator[](std::uint32_t index) const noexcept { return jobs_[index]; }
  /// Job of an entity, or kNone when it has no codelets.
  [[nodiscard]] std::uint32_t of_entity(EntityId entity) const noexcept {
    return entity < job_of_entity_.size() ? job_of_entity_[entity] : kNone;
  }
  [[nodiscard]] const QueueWatchers& watchers() const noexcept { return watchers_; }

 private:
  void reserve();
  GreedyJob make_job(LiveEntity& entity);
  void add_term(SchedulingTerm& term);
  void add_outlet(Transmitter& transmitter);
  const CallSite* keep(CallSite site);
  void find_only_watchers();
  void observe(QueueObserver& observer);

  Instance& instance_;
  std::vector<GreedyJob> jobs_;
  // What the jobs' spans refer to, all jobs one behind the other, in the order in which a cycle
  // reads them.
  std::vector<GreedyJob::Range> ranges_;
  std::vector<TermCheck> terms_;
  std::vector<GreedyJob::Inlet> inlets_;
  std::vector<CodeletTick> ticks_;
  std::vector<GreedyJob::Outlet> outlets_;
  std::vector<GreedyJob::Target> targets_;
  std::deque<CallSite> sites_;
  std::vector<std::uint32_t> job_of_entity_;
  QueueWatchers watchers_;
};

}  // namespace gxr
