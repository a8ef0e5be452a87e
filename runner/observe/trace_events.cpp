#include "observe/trace_events.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kChunk = 1024;
constexpr auto kRelaxed = std::memory_order_relaxed;

constexpr TraceKind kArrowEvent{"message", nullptr, TraceKind::Form::Arrow};
constexpr TraceKind kCounterEvent{"queue", "messages", TraceKind::Form::Counter};
constexpr TraceKind kGapEvent{"trace", "events", TraceKind::Form::Gap};

constexpr TraceEvents::Name kGapName = 0;
const std::string kNoRoomForText = "(no room for the text)";

std::uint64_t room_of(const std::string& text) noexcept {
  return 1 + text.size() / sizeof(TraceEvents::Event);
}

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

TraceEvents::Track::~Track() {
  each([this](const Event& event) { forget(const_cast<Event&>(event)); });
  Chunk* chunk = taking_ != nullptr ? taking_ : first_.load(kRelaxed);
  while (chunk != nullptr) {
    delete std::exchange(chunk, chunk->next.load(kRelaxed));
  }
}

TraceEvents::Event* TraceEvents::Track::open(Name name, const TraceKind& kind, std::int64_t begin,
                                             std::int64_t number, std::uint32_t from) noexcept {
  if ((last_ == nullptr || used_ == last_->size) && !grow(begin)) {
    ++unreported_;
    left_out_.store(left_out_.load(kRelaxed) + 1, kRelaxed);
    return nullptr;
  }
  return put(name, kind, begin, number, from);
}

/// Precondition: there is room in the last chunk.
TraceEvents::Event* TraceEvents::Track::put(Name name, const TraceKind& kind, std::int64_t begin,
                                            std::int64_t number, std::uint32_t from) noexcept {
  Event& event = last_->events[used_];
  event.kind = &kind;
  event.begin = begin;
  event.duration.store(Event::kGoesOn, kRelaxed);
  event.number = number;
  event.text = nullptr;
  event.name = name;
  event.from = from;
  last_->used.store(++used_, std::memory_order_release);
  return &event;
}

/// A new last chunk; true: it has room for one event more.
bool TraceEvents::Track::grow(std::int64_t begin) noexcept {
  Chunk* const chunk = owner_.take_chunk();
  if (chunk == nullptr) {
    return false;
  }
  if (last_ != nullptr) {
    last_->next.store(chunk, std::memory_order_release);
  } else {
    first_.store(chunk, std::memory_order_release);
  }
  last_ = chunk;
  used_ = 0;
  if (unreported_ != 0) {
    const auto number = static_cast<std::int64_t>(std::exchange(unreported_, 0));
    close(put(kGapName, kGapEvent, begin, number, 0), begin);
  }
  return used_ < chunk->size;
}

void TraceEvents::Track::close(Event* event, std::int64_t end, std::string_view failure) noexcept {
  if (event == nullptr) {
    return;
  }
  if (!failure.empty()) {
    event->text = &kNoRoomForText;
    try {
      auto text = std::make_unique<const std::string>(failure);
      const std::uint64_t wanted = room_of(*text);
      const std::uint64_t taken = owner_.take_room(wanted);
      if (taken == wanted) {
        event->text = text.release();
      } else {
        owner_.give_room(taken);
      }
    } catch (const std::exception&) {  // no memory, which is no reason to end the run
    }
  }
  event->duration.store(end - event->begin, std::memory_order_release);
}

/// Frees its text.
void TraceEvents::Track::forget(Event& event) const noexcept {
  if (event.text != nullptr && event.text != &kNoRoomForText) {
    owner_.give_room(room_of(*event.text));
    delete event.text;
    event.text = nullptr;
  }
}

void TraceEvents::Track::take(const std::function<void(const Event&)>& visit) {
  if (taking_ == nullptr) {
    taking_ = first_.load(std::memory_order_acquire);
  }
  while (taking_ != nullptr) {
    const std::size_t used = taking_->used.load(std::memory_order_acquire);
    for (; taken_ < used; ++taken_) {
      Event& event = taking_->events[taken_];
      if (event.duration.load(std::memory_order_acquire) == Event::kGoesOn) {
        return;
      }
      visit(event);
      forget(event);
    }
    Chunk* const next = taking_->next.load(std::memory_order_acquire);
    if (next == nullptr) {
      return;
    }
    if (taken_ == taking_->size) {  // else it was filled in between
      owner_.give_chunk(std::exchange(taking_, next));
      taken_ = 0;
    }
  }
}

void TraceEvents::Track::each(const std::function<void(const Event&)>& visit,
                              std::size_t most) const {
  const Chunk* chunk = taking_ != nullptr ? taking_ : first_.load(std::memory_order_acquire);
  std::size_t place = taking_ != nullptr ? taken_ : 0;
  for (; chunk != nullptr; chunk = chunk->next.load(std::memory_order_acquire), place = 0) {
    const std::size_t used = chunk->used.load(std::memory_order_acquire);
    for (; place < used && most > 0; ++place, --most) {
      visit(chunk->events[place]);
    }
  }
}

// --- Counter ---------------------------------------------------------------------------------

void TraceEvents::Counter::set(Track& track, std::int64_t now, std::int64_t value) noexcept {
  value_.store(value, kRelaxed);
  if (track_.load(kRelaxed) == 0) {
    track_.store(track.number(), kRelaxed);
  }
  if (value != shown_.load(kRelaxed) && budget_.take(now)) {
    shown_.store(value, kRelaxed);
    track.close(track.open(name_, kCounterEvent, now, value), now);
  }
}

bool TraceEvents::Counter::is_behind(std::int64_t& value) noexcept {
  value = value_.load(kRelaxed);
  if (value == shown_.load(kRelaxed)) {
    return false;
  }
  shown_.store(value, kRelaxed);
  return true;
}

// --- TraceEvents -----------------------------------------------------------------------------

TraceBegin TraceBegin::now() { return {steady_now(), std::chrono::system_clock::now()}; }

TraceEvents::TraceEvents(std::uint64_t limit, TraceBegin begin)
    : id_(next_id()), begin_(begin), room_(limit) {
  static_cast<void>(name("events left out"));  // kGapName
}

TraceEvents::~TraceEvents() {
  while (spare_ != nullptr) {
    delete std::exchange(spare_, spare_->next.load(kRelaxed));
  }
}

std::uint64_t TraceEvents::take_room(std::uint64_t wanted) noexcept {
  std::uint64_t room = room_.load(std::memory_order_relaxed);
  std::uint64_t taken = std::min(room, wanted);
  while (!room_.compare_exchange_weak(room, room - taken, std::memory_order_relaxed)) {
    taken = std::min(room, wanted);
  }
  return taken;
}

TraceEvents::Track::Chunk* TraceEvents::take_chunk() noexcept {
  {
    const std::lock_guard lock(spare_mutex_);
    if (Track::Chunk* const chunk = spare_; chunk != nullptr) {
      spare_ = chunk->next.exchange(nullptr, kRelaxed);
      chunk->used.store(0, kRelaxed);
      return chunk;
    }
  }
  const std::uint64_t room = take_room(kChunk);
  if (room == 0) {
    return nullptr;
  }
  try {
    return std::make_unique<Track::Chunk>(room).release();
  } catch (const std::exception&) {  // no memory, which is no reason to end the run
    give_room(room);
    return nullptr;
  }
}

void TraceEvents::give_chunk(Track::Chunk* chunk) noexcept {
  if (chunk->size == kChunk) {
    const std::lock_guard lock(spare_mutex_);
    chunk->next.store(spare_, kRelaxed);
    spare_ = chunk;
    return;
  }
  give_room(chunk->size);
  delete chunk;
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

TraceEvents::Counter& TraceEvents::add_counter(std::string_view name) {
  const Name number = this->name(name);
  const std::lock_guard lock(mutex_);
  return counters_.emplace_back(number);
}

void TraceEvents::add(Track& track, Name name, const TraceKind& kind, std::int64_t begin_ns,
                      std::int64_t duration_ns, std::int64_t number,
                      std::string_view failure) noexcept {
  track.close(track.open(name, kind, begin_ns, number), begin_ns + duration_ns, failure);
}

void TraceEvents::add_arrow(Track& track, Name name, std::size_t from, std::int64_t sent,
                            std::int64_t taken) noexcept {
  track.close(track.open(name, kArrowEvent, taken, sent, static_cast<std::uint32_t>(from)), taken);
}

std::vector<TraceEvents::Track*> TraceEvents::tracks() {
  const std::lock_guard lock(mutex_);
  std::vector<Track*> all;
  for (Track& track : tracks_) {
    all.push_back(&track);
  }
  return all;
}

std::vector<TraceEvents::Counter*> TraceEvents::counters() {
  const std::lock_guard lock(mutex_);
  std::vector<Counter*> all;
  for (Counter& counter : counters_) {
    all.push_back(&counter);
  }
  return all;
}

std::vector<std::string> TraceEvents::names(std::size_t from) const {
  const std::lock_guard lock(mutex_);
  return {names_.begin() + static_cast<std::ptrdiff_t>(std::min(from, names_.size())),
          names_.end()};
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
