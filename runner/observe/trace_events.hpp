#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

/// What events of a kind are called. A constant: events point to it.
struct TraceKind {
  enum class Form : std::uint8_t {
    Slice,    ///< from `begin` on, for `duration`
    Arrow,    ///< from `number` (steady ns) on track `from` to `begin` on this track
    Counter,  ///< has the value `number` from `begin` on
    Gap,      ///< in front of `begin`, `number` events are missing
  };

  const char* category;
  const char* number = nullptr;  ///< what their number is called; null: they have none
  Form form = Form::Slice;
};

inline constexpr TraceKind kTickEvent{"tick", "tick"};
inline constexpr TraceKind kCodeletEvent{"codelet", "tick"};
inline constexpr TraceKind kStartEvent{"start"};
inline constexpr TraceKind kStopEvent{"stop"};

/// When a time line begins.
struct TraceBegin {
  std::int64_t steady_ns = 0;
  std::chrono::system_clock::time_point of_day;

  [[nodiscard]] static GXR_INTERNAL_API TraceBegin now();
};

/// Lets kBurst events pass at once, and then one in kSpacing. Time without events saves up for
/// kBurst at most.
class TraceBudget {
 public:
  static constexpr std::int32_t kBurst = 1000;
  static constexpr std::int64_t kSpacing = 1'000'000;  // ns

  /// One more at `now`, in steady ns?
  [[nodiscard]] bool take(std::int64_t now) noexcept {
    if (left_ == 0) {
      const std::int64_t earned = (now - refilled_) / kSpacing;
      if (earned <= 0) {
        return false;
      }
      left_ = static_cast<std::int32_t>(earned < kBurst ? earned : kBurst);
      refilled_ = now;
    }
    --left_;
    return true;
  }

 private:
  std::int32_t left_ = 0;
  std::int64_t refilled_ = std::numeric_limits<std::int64_t>::min() / 2;
};

/// What ran when, on several tracks of one time line. Times are ns of the steady clock.
///
/// A track belongs to one thread at a time, which adds events without a lock; memory comes in
/// chunks. Everything else is thread-safe. One thread may take the events away meanwhile, and the
/// tracks use their memory again. No more than a limit waits for it; what comes then is left out
/// and counted.
class TraceEvents {
 public:
  using Name = std::uint32_t;

  /// 48 bytes each.
  static constexpr std::uint64_t kGreatestNumber = 10'000'000;

  struct Event {
    static constexpr std::int64_t kGoesOn = std::numeric_limits<std::int64_t>::min();

    const TraceKind* kind;
    std::int64_t begin;                  ///< steady ns
    std::atomic<std::int64_t> duration;  ///< ns; kGoesOn: it has not ended
    std::int64_t number;
    const std::string* text;  ///< of what failed; null: none. Valid when it has ended.
    Name name;
    std::uint32_t from;  ///< number of a track; see TraceKind::Form
  };

  class Track {
   public:
    Track(TraceEvents& owner, std::size_t number, std::string name)
        : owner_(owner), number_(number), name_(std::move(name)) {}
    Track(const Track&) = delete;
    Track& operator=(const Track&) = delete;
    ~Track();

    /// An event that goes on: nullptr when there is no room for it, which is counted. Slices on a
    /// track contain each other or follow each other, and are opened in the order of their begin.
    [[nodiscard]] Event* open(Name name, const TraceKind& kind, std::int64_t begin,
                              std::int64_t number = 0, std::uint32_t from = 0) noexcept;
    /// Ends it; `failure` is why, empty: it succeeded. `event` may be nullptr.
    void close(Event* event, std::int64_t end, std::string_view failure = {}) noexcept;

    /// From 1, in the order of registration.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Any thread.
    [[nodiscard]] std::uint64_t left_out() const noexcept {
      return left_out_.load(std::memory_order_relaxed);
    }

    // By one thread, while another one adds events:

    /// Calls `visit(const Event&)` for the events up to the first that goes on, in order, and
    /// forgets them.
    void take(const std::function<void(const Event&)>& visit);
    /// Calls `visit(const Event&)` for those that are left, in order; for so many at most.
    void each(const std::function<void(const Event&)>& visit,
              std::size_t most = std::numeric_limits<std::size_t>::max()) const;

   private:
    friend class TraceEvents;

    struct Chunk {
      explicit Chunk(std::size_t room)
          : events(std::make_unique_for_overwrite<Event[]>(room)), size(room) {}

      std::unique_ptr<Event[]> events;
      const std::size_t size;
      std::atomic<std::size_t> used{0};
      std::atomic<Chunk*> next{nullptr};
    };

    bool grow(std::int64_t begin) noexcept;
    Event* put(Name name, const TraceKind& kind, std::int64_t begin, std::int64_t number,
               std::uint32_t from) noexcept;
    void forget(Event& event) const noexcept;

    TraceEvents& owner_;
    const std::size_t number_;
    const std::string name_;
    std::atomic<std::uint64_t> left_out_{0};
    std::atomic<Chunk*> first_{nullptr};

    // Of the thread that adds:
    Chunk* last_ = nullptr;
    std::size_t used_ = 0;          // of the last chunk
    std::uint64_t unreported_ = 0;  // events that were left out since the last one that was not

    // Of the thread that takes:
    Chunk* taking_ = nullptr;
    std::size_t taken_ = 0;  // of that chunk
  };

  /// A value on the time line, like the fill of a queue.
  class Counter {
   public:
    explicit Counter(Name name) noexcept : name_(name) {}

    /// Has this value at `now`. It becomes an event of `track` unless there are too many; see
    /// TraceBudget. One thread at a time.
    void set(Track& track, std::int64_t now, std::int64_t value) noexcept;

    [[nodiscard]] Name name() const noexcept { return name_; }
    /// The value, if no event shows it: then the caller shows it. Any thread.
    [[nodiscard]] bool is_behind(std::int64_t& value) noexcept;
    /// Number of the track that had its last event. Any thread.
    [[nodiscard]] std::size_t track() const noexcept {
      return track_.load(std::memory_order_relaxed);
    }

   private:
    const Name name_;
    TraceBudget budget_;
    std::atomic<std::int64_t> value_{-1};
    std::atomic<std::int64_t> shown_{-1};
    std::atomic<std::size_t> track_{0};
  };

  /// `limit`: events that wait to be taken; a chunk that a track has not filled, and the texts of
  /// what failed, count as well, by their size.
  explicit TraceEvents(std::uint64_t limit = kGreatestNumber, TraceBegin begin = TraceBegin::now());
  TraceEvents(const TraceEvents&) = delete;
  TraceEvents& operator=(const TraceEvents&) = delete;
  GXR_INTERNAL_API ~TraceEvents();

  /// The same number for the same text, as long as this lives.
  [[nodiscard]] Name name(std::string_view text);
  /// Another track, for one thread, or for something that is no thread.
  Track& add_track(std::string name);
  /// The calling thread's track, made when it is asked for first: then it is called `name`, or,
  /// when that is empty, "thread N".
  Track& this_thread(std::string_view name = {});
  /// Makes this the calling thread's track.
  void use_track(Track& track);
  Counter& add_counter(std::string_view name);

  /// For events whose times are known. Track and order: see Track::open().
  static void add(Track& track, Name name, const TraceKind& kind, std::int64_t begin_ns,
                  std::int64_t duration_ns, std::int64_t number = 0,
                  std::string_view failure = {}) noexcept;
  /// An arrow from `sent` (steady ns) on the track of this number to `taken` on `track`: from the
  /// slice that contains the one time to the slice that contains the other.
  static void add_arrow(Track& track, Name name, std::size_t from, std::int64_t sent,
                        std::int64_t taken) noexcept;

  [[nodiscard]] std::int64_t begin() const noexcept { return begin_.steady_ns; }  ///< steady ns
  [[nodiscard]] std::chrono::system_clock::time_point begin_of_day() const noexcept {
    return begin_.of_day;
  }
  [[nodiscard]] std::vector<Track*> tracks();
  [[nodiscard]] std::vector<Counter*> counters();
  /// The names from this number on.
  [[nodiscard]] std::vector<std::string> names(std::size_t from = 0) const;
  /// Events for which there was no room.
  [[nodiscard]] std::uint64_t left_out() const;

 private:
  /// Takes room for so many events, or for less when there is not as much.
  std::uint64_t take_room(std::uint64_t wanted) noexcept;
  void give_room(std::uint64_t given) noexcept {
    room_.fetch_add(given, std::memory_order_relaxed);
  }
  /// nullptr: no room, or no memory.
  Track::Chunk* take_chunk() noexcept;
  void give_chunk(Track::Chunk* chunk) noexcept;

  const std::uint64_t id_;  // never used twice in a process
  const TraceBegin begin_;
  std::atomic<std::uint64_t> room_;

  std::mutex spare_mutex_;         // guards spare_
  Track::Chunk* spare_ = nullptr;  // what was taken, to be filled again; they keep their room

  mutable std::mutex mutex_;  // guards the members below
  std::deque<Track> tracks_;
  std::deque<Counter> counters_;
  std::map<std::thread::id, Track*> of_threads_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Name> numbers_;  // of names_
};

}  // namespace gxr
