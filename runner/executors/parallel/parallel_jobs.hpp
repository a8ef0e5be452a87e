#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "executors/observed_tick.hpp"
#include "executors/parallel/inbox.hpp"
#include "executors/parallel/work_queues.hpp"
#include "executors/queue_watchers.hpp"
#include "executors/run_conclusion.hpp"
#include "executors/term_checks.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// One entity as the parallel executor runs it. Whoever turns `state` to Running owns all but the
/// state until it turns it to something else.
struct ParallelJob {
  enum class State : std::uint8_t {
    Idle,     ///< nobody looks at it until an event wakes it
    Queued,   ///< a worker will look at it
    Running,  ///< a worker looks at it
    Again,    ///< likewise, and an event came meanwhile
  };
  /// What the entity waited for when it was last looked at.
  /// Poll: until the next poll, which keeps no run alive.
  enum class Rest : std::uint8_t { Event, Time, Poll, Outside, Finished };

  using Range = MessageRange<Inbox>;
  struct Inlet {
    Inbox* inbox;  ///< null: a concurrent queue
    Receiver* receiver;
  };
  struct Target {
    Inbox* inbox;  ///< null: a concurrent queue
    Receiver* receiver;
    std::span<const std::uint32_t> watchers;  ///< jobs that wait for its messages
    mutable bool has_lost = false;            ///< a message for lack of room
  };
  struct Outlet {
    Transmitter* transmitter;
    std::vector<Target> targets;
  };
  /// A receiver in which no term of the entity waits for room.
  struct Unguarded {
    const Inbox* inbox;
    std::uint32_t full_at;  ///< messages from which on another one may find no room
    const ParallelJob* consumer;
    bool may_drop;  ///< policy 0 or 1: what comes too fast is dropped on purpose
  };
  /// Room that the entity waits for in a receiver to which other entities send, too.
  struct Claim {
    Inbox* inbox;
    std::uint32_t messages;
  };

  std::atomic<State> state{State::Queued};
  std::atomic<bool> took_in{false};  ///< since it was last turned to Running
  Rest rest = Rest::Event;
  bool is_end = false;  ///< stands for another rank
  bool observed = false;
  bool held = false;                              ///< must not tick; see LiveEntity::hold
  bool guarded = false;                           ///< ticks by ObservedTicks; see is_guarded()
  std::uint32_t ticks_to_measure = 1;             ///< ticks until one is measured
  bool own_receivers = false;                     ///< some are no StagedRing behind an inbox
  std::uint32_t worker = WorkQueues::kAnyWorker;  ///< the only one that may run it
  std::vector<Range> ranges;
  std::vector<TermCheck> terms;
  bool has_urgent = false;  ///< one of the terms is an UrgentTerm
  std::vector<Inlet> inbox;
  std::vector<CodeletTick> ticks;
  std::vector<Outlet> outbox;
  std::vector<Unguarded> unguarded;
  std::vector<Claim> claims;  ///< in the order of the receivers, which is the same for all jobs
  std::int64_t held_back_since = 0;  ///< steady time in ns; 0: it is not held back
  std::atomic<const ParallelJob*> waits_for{nullptr};  ///< the consumer for which it is held back
  Polling polling;
  std::int64_t ready_since = 0;  ///< on the scheduler's clock
  MeasuredTicks measured;
  LiveEntity* entity = nullptr;
};

/// All jobs in activation order with the inboxes of their receivers. Made before the first tick.
class ParallelJobs {
 public:
  explicit ParallelJobs(Instance& instance);

  [[nodiscard]] std::uint32_t size() const noexcept { return count_; }
  ParallelJob& operator[](std::uint32_t index) noexcept { return jobs_[index]; }
  [[nodiscard]] const QueueWatchers& watchers() const noexcept { return watchers_; }
  /// Job of an entity, or kNone when it has no codelets.
  [[nodiscard]] std::uint32_t of_entity(EntityId entity) const noexcept {
    return entity < job_of_entity_.size() ? job_of_entity_[entity] : kNone;
  }
  /// Nullptr: a concurrent queue.
  [[nodiscard]] Inbox* inbox_of(const Receiver& receiver) const noexcept {
    return inbox_of_[receiver.component_id()];
  }
  /// Moves what is left in the inboxes to the receivers, when nobody runs any more.
  void settle_all(std::vector<Failure>& failures);

 private:
  void make_inboxes();
  void make_job(ParallelJob& job, LiveEntity& entity);
  void add_term(ParallelJob& job, SchedulingTerm& term);
  void add_targets(ParallelJob& job);
  void add_claim(ParallelJob& job, Inbox& inbox, std::size_t messages);
  void share_unguarded();
  void keep_shared_claims();
  ParallelJob::Outlet outlet(Transmitter& transmitter) const;
  const CallSite* keep(CallSite site) { return &sites_.emplace_back(site); }

  Instance& instance_;
  std::uint32_t count_;
  std::unique_ptr<ParallelJob[]> jobs_;
  std::deque<Inbox> inboxes_;
  std::vector<Inbox*> inbox_of_;  // by ComponentId
  std::vector<std::uint32_t> job_of_entity_;
  std::deque<CallSite> sites_;
  QueueWatchers watchers_;
};

}  // namespace gxr
