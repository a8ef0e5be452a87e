#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "executors/cycle_counter.hpp"
#include "executors/data_sources.hpp"
#include "executors/data_trail.hpp"
#include "executors/deadlines.hpp"
#include "executors/previews.hpp"
#include "executors/rest_watch.hpp"
#include "executors/running_graph.hpp"
#include "gxr/clock.hpp"
#include "gxr/queue.hpp"
#include "gxr/run_status.hpp"
#include "observe/time_histogram.hpp"
#include "runtime/instance.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

/// The ages of data on the paths from sources to sinks. A sink adds by one thread at a time; any
/// thread reads. Allocates nothing after its constructor.
class PathAges {
 public:
  /// What a sink knows of its paths.
  struct OfSink {
    std::uint32_t first = 0;  ///< number of its first path, plus one; 0: none
  };

  /// Room for so many paths, or for kMost.
  explicit PathAges(std::size_t paths);
  /// An age, in counts, of data of `source` that the entity with the index `sink` takes.
  void add(OfSink& mine, std::uint32_t source, std::uint32_t sink, std::uint64_t age) noexcept;
  /// Adds the paths to the status.
  void tell(RunStatus& status, const DataSources& sources, double ns_per_count) const;

 private:
  static constexpr std::size_t kMost = 256;

  struct Path {
    std::uint32_t source = 0;
    std::uint32_t sink = 0;
    std::uint32_t next = 0;  // of the same sink, like OfSink::first
    std::atomic<bool> is_known{false};
    TimeHistogram ages;
  };

  const std::size_t room_;
  std::unique_ptr<Path[]> paths_;
  std::atomic<std::uint32_t> taken_{0};
  std::atomic<std::uint64_t> left_out_{0};
};

/// Has the message that a tick takes next from this ring a trail?
[[gnu::always_inline]] inline bool brings_trail(const StagedRing& ring) noexcept {
  const Message* const first = ring.peek(0);
  return first != nullptr && trail_of(*first).source != 0;
}

/// What is measured of one entity. Belongs to the thread that ticks it; any thread may read the
/// histograms.
struct EntityTimes {
  struct Inlet {
    const StagedRing* ring = nullptr;    ///< of a receiver of a usual type, else null
    std::vector<std::uint32_t> senders;  ///< indices of entities
    TimeHistogram waiting;
    // Of the first message when the measured tick began.
    const detail::MessageBlock* first = nullptr;  ///< null: it has no trail
    DataTrail trail;
    bool is_from_device = false;             ///< the tick may have to wait for its data
    std::optional<std::uint64_t> published;  ///< counts; empty: none of `senders` has marked it
  };
  /// Has one of the messages that a tick takes next a trail?
  [[nodiscard]] bool brings_trail() const noexcept;

  std::uint32_t entity = 0;       ///< its index
  bool is_source = false;         ///< nothing is connected to its inputs
  bool is_sink = false;           ///< nobody takes its outputs
  bool sends_trails = false;      ///< its messages have their trail before its tick ends
  std::uint32_t turn = 0;         ///< inlet whose trail comes first the next time
  std::uint32_t spacing = 1;      ///< ticks from one measured tick to the next
  std::uint64_t measured_at = 0;  ///< counts, of the last measured tick
  std::unique_ptr<Inlet[]> inlets;
  std::size_t inlet_count = 0;
  std::vector<StagedRing*> outlets;  ///< transmitters of the usual type
  PathAges::OfSink paths;
  TimeHistogram ticks;
  std::optional<std::uint64_t> most_ticks;  ///< in the whole run, if it is known
  std::unique_ptr<TimeHistogram> lateness;  ///< ns; null: no term of it names times
  std::unique_ptr<Deadlines> deadlines;     ///< null: it has none
  bool is_dense = false;                    ///< each tick is measured: a deadline needs it
};

/// Times of ticks, of messages in queues and of data on its way, for a part of the ticks: at high
/// rates one in 64; of an entity with a deadline, and of all sources where the age of data has one,
/// each. Messages of a measured tick of a source carry a trail, and each tick that takes
/// such a message is measured and passes the trail on.
class RunFacts {
 public:
  /// `rest`: of several ranks; nullptr: there is one.
  RunFacts(const Instance& instance, const Clock& clock, RestWatch* rest);

  /// Of the entity with this index in Instance::entities().
  [[nodiscard]] EntityTimes& of(std::size_t index) noexcept { return times_[index]; }
  /// The entity with this index ticks now, and waited for `target` on the clock; 0: for no time.
  void note_time(std::size_t index, std::int64_t target) noexcept {
    if (target > 0 && times_[index].lateness != nullptr) {
      add_lateness(times_[index], target);
    }
  }
  /// The measured tick of the entity with this index has ended. Throws ComponentFailure when it
  /// missed a deadline that is to fail.
  void require_deadlines(std::size_t index) {
    if (times_[index].deadlines != nullptr) {
      times_[index].deadlines->require_met(instance_.entities()[index]);
    }
  }
  [[nodiscard]] Previews& previews() noexcept { return previews_; }
  /// Adds what is known of the entity. Any thread.
  void tell(EntityStatus& status, std::size_t index) const;
  /// Adds the paths, the graphs and the use of the allocators. Any thread.
  void tell(RunStatus& status) const;

 private:
  friend class MeasuredTick;

  void add_lateness(EntityTimes& times, std::int64_t target) noexcept;
  /// As far as it is known at the moment `now`.
  [[nodiscard]] double ns_per_count(std::uint64_t now) noexcept;
  /// Of `counts`, at the moment `now`.
  [[nodiscard]] std::int64_t nanoseconds(std::uint64_t counts, std::uint64_t now) noexcept;
  const Instance& instance_;
  const Clock& clock_;
  const CycleCounter counter_;
  const DataSources sources_;
  std::unique_ptr<EntityTimes[]> times_;  // by index of the entity
  PathAges ages_;
  Previews previews_;
  const std::vector<const RunningGraph*> graphs_;
  // The length of a count, and the time of its next measurement. Each measurement comes after twice
  // as long: it costs 30 ns, and gets more exact with the time that has passed.
  std::atomic<double> ns_per_count_{1.0};
  std::atomic<std::uint64_t> scale_ends_{0};
};

/// One tick that is measured, from when its messages are on the main stage.
class MeasuredTick {
 public:
  MeasuredTick(RunFacts& facts, EntityTimes& times) noexcept;
  /// The codelets have ticked, and what they published lies in the transmitters. Returns how many
  /// ticks come until the next one is to be measured.
  [[nodiscard]] std::uint32_t end() noexcept;

 private:
  void follow(EntityTimes::Inlet& inlet) noexcept;
  void note_taken(std::uint64_t now) noexcept;
  [[nodiscard]] std::uint64_t data_seen(std::uint64_t now) noexcept;
  void mark(const Message& message, std::uint64_t now) noexcept;
  void choose_spacing() noexcept;

  RunFacts& facts_;
  EntityTimes& times_;
  const std::uint64_t begin_;
  DataTrail trail_;
};

inline bool EntityTimes::brings_trail() const noexcept {
  return std::any_of(inlets.get(), inlets.get() + inlet_count, [](const Inlet& inlet) {
    return inlet.ring != nullptr && gxr::brings_trail(*inlet.ring);
  });
}

}  // namespace gxr
