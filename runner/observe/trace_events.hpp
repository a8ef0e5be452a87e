#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
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
  const char* category;
  const char* number = nullptr;  ///< what their number is called; null: they have none
};

inline constexpr TraceKind kTickEvent{"tick", "tick"};
inline constexpr TraceKind kCodeletEvent{"codelet", "tick"};
inline constexpr TraceKind kStartEvent{"start"};
inline constexpr TraceKind kStopEvent{"stop"};

/// What ran when, on several tracks of one time line. Times are ns of the steady clock.
///
/// A track belongs to one thread at a time, which adds events without a lock; memory comes in
/// chunks. Everything else is thread-safe. No more than a limit is kept; what comes later is
/// counted.
class TraceEvents {
 public:
  using Name = std::uint32_t;

  /// 40 bytes each.
  static constexpr std::uint64_t kGreatestNumber = 10'000'000;

  struct Event {
    const TraceKind* kind;
    std::int64_t begin;     ///< steady ns
    std::int64_t duration;  ///< ns
    std::int64_t number;
    Name name;
    std::uint32_t text;  ///< of what failed: its place in the track's texts, from 1; 0: none
  };

  class Track {
   public:
    Track(TraceEvents& owner, std::size_t number, std::string name)
        : owner_(owner), number_(number), name_(std::move(name)) {}

    /// An event that goes on: nullptr when there is no room for it, which is counted. Events on a
    /// track contain each other or follow each other, and are opened in the order of their begin.
    [[nodiscard]] Event* open(Name name, const TraceKind& kind, std::int64_t begin,
                              std::int64_t number = 0) noexcept;
    /// Ends it; `failure` is why, empty: it succeeded. `event` may be nullptr.
    void close(Event* event, std::int64_t end, std::string_view failure = {}) noexcept;

    /// From 1, in the order of registration.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::string& text(std::uint32_t place) const { return texts_[place - 1]; }
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
    /// Calls `visit(const Event&)` for all, in order.
    void each(const std::function<void(const Event&)>& visit) const;

   private:
    struct Chunk {
      std::unique_ptr<Event[]> events;
      std::size_t size;
    };

    bool grow() noexcept;

    TraceEvents& owner_;
    const std::size_t number_;
    const std::string name_;
    std::vector<Chunk> chunks_;
    Event* next_ = nullptr;
    Event* end_ = nullptr;  // of the last chunk
    std::deque<std::string> texts_{"(no room for the text)"};
    std::uint64_t left_out_ = 0;
  };

  /// The time line begins now. `limit`: events that are kept; a chunk that a track has not filled,
  /// and the texts of what failed, count as well, by their size.
  explicit TraceEvents(std::uint64_t limit = kGreatestNumber);
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

  /// For events whose times are known. Track and order: see Track::open().
  static void add(Track& track, Name name, const TraceKind& kind, std::int64_t begin_ns,
                  std::int64_t duration_ns, std::int64_t number = 0,
                  std::string_view failure = {}) noexcept;

  // To read it, when nobody adds events any more.
  [[nodiscard]] std::int64_t begin() const noexcept { return begin_; }  ///< steady ns
  [[nodiscard]] std::chrono::system_clock::time_point begin_of_day() const noexcept {
    return wall_begin_;
  }
  [[nodiscard]] std::vector<const Track*> tracks() const;
  [[nodiscard]] const std::deque<std::string>& names() const noexcept { return names_; }
  /// Events for which there was no room.
  [[nodiscard]] std::uint64_t left_out() const;

 private:
  /// Takes room for so many events, or for less when there is not as much.
  std::uint64_t take_room(std::uint64_t wanted) noexcept;

  const std::uint64_t id_;  // never used twice in a process
  const std::int64_t begin_;
  const std::chrono::system_clock::time_point wall_begin_;
  std::atomic<std::uint64_t> room_;

  mutable std::mutex mutex_;  // guards the members below
  std::deque<Track> tracks_;
  std::map<std::thread::id, Track*> of_threads_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Name> numbers_;  // of names_
};

}  // namespace gxr
