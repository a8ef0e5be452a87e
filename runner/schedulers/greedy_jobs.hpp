#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"
#include "observe/call_site.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// One entity as the greedy executor runs it: everything a tick touches, with the usual types of
/// queues and terms resolved so that they are read without a virtual call.
struct GreedyJob {
  enum class State : std::uint8_t {
    Fresh,     ///< start() has not run
    Waiting,   ///< for an event inside the application, or about to be looked at
    Timed,     ///< for a time
    Parked,    ///< for an event from outside (WAIT_EVENT)
    Finished,  ///< NEVER; stop() has run
  };
  static constexpr std::size_t kStates = 5;

  /// A scheduling term; the first three kinds are read without a call.
  struct Term {
    enum class Kind : std::uint8_t { Messages, Space, Count, Other };
    Kind kind = Kind::Other;
    std::uint32_t minimum = 0;          ///< Messages, Space
    StagedRing* ring = nullptr;         ///< Messages, Space
    std::int64_t* remaining = nullptr;  ///< Count
    SchedulingTerm* term = nullptr;
    const CallSite* site = nullptr;  ///< of check() and on_execute()
  };
  struct Tick {
    Codelet* codelet = nullptr;
    const CallSite* site = nullptr;
  };
  struct Inlet {
    StagedRing* ring = nullptr;  ///< of a DoubleBufferReceiver, else null
    Receiver* receiver = nullptr;
  };
  /// One receiver behind a transmitter.
  struct Target {
    StagedRing* ring = nullptr;  ///< of a DoubleBufferReceiver, else null
    std::uint32_t watcher =
        kNone;  ///< the only job that waits for its messages; kNone: look into the table
    Receiver* receiver = nullptr;
  };
  struct Outlet {
    StagedRing* ring = nullptr;  ///< of a DoubleBufferTransmitter, else null
    Transmitter* transmitter = nullptr;
    std::span<Target> targets;
  };

  State state = State::Fresh;
  std::span<Term> terms;
  std::span<Inlet> inbox;
  std::span<Tick> ticks;
  std::span<Outlet> outbox;
  std::uint64_t tick_count = 0;
  std::int64_t total_ns = 0;
  std::int64_t longest_ns = 0;
  std::int64_t poll_period = 0;  ///< shortest that a term asked for; 0: none
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
  /// Jobs whose terms ask for messages of this receiver.
  [[nodiscard]] std::span<const std::uint32_t> arrival_watchers(
      ComponentId receiver) const noexcept {
    return arrival_watchers_[receiver];
  }
  /// Jobs whose terms ask for room in this receiver, or want to know that a message was taken.
  [[nodiscard]] std::span<const std::uint32_t> space_watchers(ComponentId receiver) const noexcept {
    return space_watchers_[receiver];
  }

 private:
  class EventCollector;
  using Watchers = std::vector<std::uint32_t>;

  void reserve();
  GreedyJob make_job(LiveEntity& entity);
  GreedyJob::Term make_term(SchedulingTerm& term);
  void add_terms(SchedulingTerm& term);
  void add_outlet(Transmitter& transmitter);
  const CallSite* keep(CallSite site);
  void watch(std::uint32_t index);
  void find_only_watchers();
  void observe(QueueObserver& observer);

  Instance& instance_;
  std::vector<GreedyJob> jobs_;
  // What the jobs' spans refer to, all jobs one behind the other, in the order in which a cycle
  // reads them.
  std::vector<GreedyJob::Term> terms_;
  std::vector<GreedyJob::Inlet> inlets_;
  std::vector<GreedyJob::Tick> ticks_;
  std::vector<GreedyJob::Outlet> outlets_;
  std::vector<GreedyJob::Target> targets_;
  std::deque<CallSite> sites_;
  std::vector<std::uint32_t> job_of_entity_;
  std::vector<Watchers> arrival_watchers_;  // by ComponentId
  std::vector<Watchers> space_watchers_;    // by ComponentId
};

}  // namespace gxr
