#include "dds/sample_queue.hpp"

#include <algorithm>
#include <utility>

namespace gxr::dds {
namespace {

/// More wait in the reader, which makes reliable writers wait.
constexpr std::size_t kMostWaiting = 64;

}  // namespace

void SampleQueue::open(AsynchronousSchedulingTerm& term, Reader& reader, const Qualities& qualities,
                       OnBad on_bad) {
  const std::lock_guard lock(mutex_);
  on_bad_ = std::move(on_bad);
  term_ = &term;
  reader_ = &reader;
  depth_ = qualities.depth;
  is_exclusive_ = qualities.ownership == Ownership::Exclusive;
  heard_ = {};
  more_wait_ = false;
  entries_.clear();
  losses_ = {};
  ended_ = false;
  tell();
}

void SampleQueue::close() {
  std::deque<Entry> old;  // goes after the lock
  const std::lock_guard lock(mutex_);
  reader_ = nullptr;
  old.swap(entries_);
}

std::size_t SampleQueue::room() const { return depth_ > 0 ? depth_ + kMostWaiting : kMostWaiting; }

void SampleQueue::fill_with_lock(Aside& aside) {
  while (more_wait_ && reader_ != nullptr && !ended_ && entries_.size() < room()) {
    more_wait_ = reader_->take(room() - entries_.size(), arrived_);
    for (Received& sample : arrived_) {
      add(std::move(sample), aside);
    }
    arrived_.clear();
  }
}

void SampleQueue::add(Received&& sample, Aside& aside) {
  const bool takes_over = is_exclusive_ && sample.writer != heard_;
  heard_ = sample.writer;
  const std::uint64_t lost = losses_.arrived(sample.writer, sample.number, takes_over);
  if (!sample.flaw.empty()) {
    if (lost > 0) {
      losses_.add_to_next(sample.writer, lost);
    }
    aside.bad.push_back(std::move(sample));
    return;
  }
  entries_.push_back({std::move(sample), lost});
  if (depth_ == 0 || entries_.size() <= depth_) {
    return;
  }
  drop_oldest(aside);
}

void SampleQueue::drop_oldest(Aside& aside) {
  Entry& oldest = entries_.front();
  losses_.dropped(oldest.sample.writer);
  const Guid writer = oldest.sample.writer;
  const std::uint64_t missing = oldest.lost + 1;
  aside.dropped.push_back(std::move(oldest));
  entries_.pop_front();
  add_to_next_with_lock(writer, missing);
}

void SampleQueue::fill() {
  Aside aside;
  {
    const std::lock_guard lock(mutex_);
    more_wait_ = true;
    fill_with_lock(aside);
    tell();
  }
  tell_of(aside.bad);
}

void SampleQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  entries_.clear();
  tell();
}

std::optional<SampleQueue::Entry> SampleQueue::take(std::int64_t now) {
  Aside aside;
  std::optional<Entry> taken;
  {
    const std::lock_guard lock(mutex_);
    const auto has_passed = [now](const Entry& entry) {
      return entry.sample.expires != 0 && entry.sample.expires <= now;
    };
    while (!entries_.empty() && has_passed(entries_.front())) {
      drop_oldest(aside);
    }
    if (!entries_.empty()) {
      taken = std::move(entries_.front());
      entries_.pop_front();
    }
    fill_with_lock(aside);
    tell();
  }
  tell_of(aside.bad);
  return taken;
}

void SampleQueue::tell_of(const std::vector<Received>& bad) const {
  for (const Received& sample : bad) {
    on_bad_(sample);
  }
}

void SampleQueue::add_to_next(const Guid& writer, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  add_to_next_with_lock(writer, count);
}

void SampleQueue::add_to_next_with_lock(const Guid& writer, std::uint64_t count) {
  const auto next = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return entry.sample.writer == writer; });
  if (next != entries_.end()) {
    next->lost += count;
  } else if (count > 0) {
    losses_.add_to_next(writer, count);
  }
}

Losses SampleQueue::losses() const {
  const std::lock_guard lock(mutex_);
  return losses_;
}

void SampleQueue::tell() {
  if (reader_ != nullptr) {
    term_->set_event_state(!entries_.empty() ? AsynchronousEventState::EventDone
                           : ended_          ? AsynchronousEventState::EventNever
                                             : AsynchronousEventState::EventWaiting);
  }
}

}  // namespace gxr::dds
