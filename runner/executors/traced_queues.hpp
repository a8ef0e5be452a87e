#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "gxr/queue.hpp"
#include "observe/trace_events.hpp"
#include "runtime/instance.hpp"
#include "system/spin_lock.hpp"

namespace gxr {

/// The messages that wait in a receiver, as far as they are known: their number, and the ticks that
/// sent the last ones. A message may wait in several receivers, and an entity may forward it
/// meanwhile, so the message itself cannot tell. Thread-safe.
class SentMessages {
 public:
  struct Sender {
    const detail::MessageBlock* block;  ///< of the message
    std::size_t track;                  ///< number
    std::int64_t time;                  ///< steady ns
  };

  /// `counter` shows how many messages wait; `capacity`: of a stage of the receiver.
  SentMessages(TraceEvents::Counter& counter, std::size_t capacity);

  /// A tick on `track` sends all messages of this ring at `now`.
  void add(const StagedRing& ring, TraceEvents::Track& track, std::int64_t now) noexcept;
  /// A tick on `track` sees the receiver's main stage at `now`. Writes the senders of its first
  /// messages to `senders`, with block == nullptr for those that are not known. Returns the number
  /// of the messages that it has looked at.
  std::size_t look(const StagedRing& ring, TraceEvents::Track& track, std::int64_t now,
                   std::span<Sender> senders) noexcept;
  /// The tick has taken so many of them, and left so many on the main stage.
  void remove(std::size_t taken, std::size_t left, TraceEvents::Track& track,
              std::int64_t now) noexcept;

 private:
  static constexpr std::size_t kMostKept = 1024;
  /// The places where a message is searched: some may have been dropped.
  static constexpr std::uint64_t kNearby = 32;

  [[nodiscard]] std::uint64_t find(const Message& message, std::uint64_t from) const noexcept;
  [[nodiscard]] const Sender& at(std::uint64_t number) const noexcept {
    return kept_[number & (kept_.size() - 1)];
  }

  TraceEvents::Counter& counter_;
  const std::size_t capacity_;

  SpinLock lock_;             // guards the members below
  std::vector<Sender> kept_;  // a power of 2
  std::uint64_t sent_ = 0;    // messages so far, of which kept_ has the last ones
  std::size_t fill_ = 0;      // messages that wait, as far as is known
  std::size_t left_ = 0;      // on the main stage by the last tick
};

/// The messages between ticks on a time line: how many wait in each receiver, and arrows from the
/// tick that sent one to the tick that took it. Knows those queues that are a StagedRing and that
/// one thread touches at a time.
class TracedQueues {
 public:
  TracedQueues(const Instance& instance, TraceEvents& trace);

  /// A tick of an entity, from when its messages are on the main stage.
  class Tick;

 private:
  struct Inlet {
    const StagedRing* ring;
    SentMessages* messages;
    TraceEvents::Name name;
    TraceBudget arrows;
    std::size_t before = 0;  ///< messages on the main stage when the tick began
  };
  struct Outlet {
    const StagedRing* ring;
    std::vector<SentMessages*> receivers;
  };
  struct OfEntity {
    std::vector<Inlet> inlets;
    std::vector<Outlet> outlets;
  };

  void add_inlets(const LiveEntity& entity, TraceEvents& trace);
  void add_outlets(const LiveEntity& entity);

  std::deque<SentMessages> messages_;
  std::vector<SentMessages*> of_receivers_;  // by ComponentId; null: not known
  std::vector<OfEntity> entities_;           // by EntityId
};

class TracedQueues::Tick {
 public:
  /// `begin`: of its slice on `track`.
  Tick(TracedQueues& queues, EntityId entity, TraceEvents::Track& track,
       std::int64_t begin) noexcept;
  Tick(const Tick&) = delete;
  Tick& operator=(const Tick&) = delete;
  /// After a failure it has taken messages, too, but sends none.
  ~Tick();

  /// The codelets have ticked by `now`, and what they send is still in the transmitters.
  void end(std::int64_t now) noexcept;

 private:
  /// Arrows to one tick.
  static constexpr std::size_t kMostArrows = 16;

  void take(std::int64_t now) noexcept;
  void add_arrows(Inlet& inlet, std::size_t taken, std::size_t& first) noexcept;

  OfEntity& queues_;
  TraceEvents::Track& track_;
  const std::int64_t begin_;
  bool has_ended_ = false;
  std::size_t known_ = 0;
  std::array<SentMessages::Sender, kMostArrows> senders_;  // by inlet, in the order of its messages
};

}  // namespace gxr
