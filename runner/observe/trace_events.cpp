#include "observe/trace_events.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kChunk = 1024;
constexpr std::uint32_t kNoRoomForText = 1;

std::uint64_t next_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// The track that the calling thread was last given.
struct Latest {
  std::uint64_t owner = 0;
  TraceEvents::Track* track = nullptr;
};
thread_local Latest latest;

}  // namespace

// --- Track -----------------------------------------------------------------------------------

TraceEvents::Event* TraceEvents::Track::open(Name name, const TraceKind& kind, std::int64_t begin,
                                             std::int64_t number) noexcept {
  if (next_ == end_ && !grow()) {
    ++left_out_;
    return nullptr;
  }
  *next_ = {&kind, begin, 0, number, name, 0};
  return next_++;
}

bool TraceEvents::Track::grow() noexcept {
  const std::uint64_t room = owner_.take_room(kChunk);
  if (room == 0) {
    return false;
  }
  try {
    chunks_.push_back({std::make_unique_for_overwrite<Event[]>(room), room});
  } catch (const std::exception&) {  // no memory, which is no reason to end the run
    return false;
  }
  next_ = chunks_.back().events.get();
  end_ = next_ + room;
  return true;
}

void TraceEvents::Track::close(Event* event, std::int64_t end, std::string_view failure) noexcept {
  if (event == nullptr) {
    return;
  }
  event->duration = end - event->begin;
  if (failure.empty()) {
    return;
  }
  event->text = kNoRoomForText;
  try {
    if (texts_.back() != failure) {
      const std::uint64_t wanted = 1 + failure.size() / sizeof(Event);
      if (owner_.take_room(wanted) != wanted) {
        return;
      }
      texts_.emplace_back(failure);
    }
    event->text = static_cast<std::uint32_t>(texts_.size());
  } catch (const std::exception&) {  // no memory
    return;
  }
}

void TraceEvents::Track::each(const std::function<void(const Event&)>& visit) const {
  for (const Chunk& chunk : chunks_) {
    const Event* const begin = chunk.events.get();
    const Event* const end = &chunk == &chunks_.back() ? next_ : begin + chunk.size;
    std::for_each(begin, end, visit);
  }
}

// --- TraceEvents -----------------------------------------------------------------------------

TraceEvents::TraceEvents(std::uint64_t limit)
    : id_(next_id()),
      begin_(steady_now()),
      wall_begin_(std::chrono::system_clock::now()),
      room_(limit) {}

TraceEvents::~TraceEvents() = default;

std::uint64_t TraceEvents::take_room(std::uint64_t wanted) noexcept {
  std::uint64_t room = room_.load(std::memory_order_relaxed);
  std::uint64_t taken = std::min(room, wanted);
  while (!room_.compare_exchange_weak(room, room - taken, std::memory_order_relaxed)) {
    taken = std::min(room, wanted);
  }
  return taken;
}

TraceEvents::Name TraceEvents::name(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (const auto known = numbers_.find(text); known != numbers_.end()) {
    return known->second;
  }
  const auto number = static_cast<Name>(names_.size());
  numbers_.emplace(names_.emplace_back(text), number);
  return number;
}

TraceEvents::Track& TraceEvents::add_track(std::string name) {
  const std::lock_guard lock(mutex_);
  return tracks_.emplace_back(*this, tracks_.size() + 1, std::move(name));
}

TraceEvents::Track& TraceEvents::this_thread(std::string_view name) {
  if (latest.owner == id_) {
    return *latest.track;
  }
  const std::lock_guard lock(mutex_);
  Track*& track = of_threads_[std::this_thread::get_id()];
  if (track == nullptr) {
    const std::size_t number = tracks_.size() + 1;
    track = &tracks_.emplace_back(
        *this, number, name.empty() ? "thread " + std::to_string(number) : std::string(name));
  }
  latest = {id_, track};
  return *track;
}

void TraceEvents::use_track(Track& track) {
  const std::lock_guard lock(mutex_);
  of_threads_[std::this_thread::get_id()] = &track;
  latest = {id_, &track};
}

void TraceEvents::add(Track& track, Name name, const TraceKind& kind, std::int64_t begin_ns,
                      std::int64_t duration_ns, std::int64_t number,
                      std::string_view failure) noexcept {
  track.close(track.open(name, kind, begin_ns, number), begin_ns + duration_ns, failure);
}

std::vector<const TraceEvents::Track*> TraceEvents::tracks() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Track*> all;
  for (const Track& track : tracks_) {
    all.push_back(&track);
  }
  return all;
}

std::uint64_t TraceEvents::left_out() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const Track& track : tracks_) {
    sum += track.left_out();
  }
  return sum;
}

}  // namespace gxr
