#include "executors/traced_queues.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "sdk/engine_access.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kNotFound = ~std::uint64_t{0};

/// nullptr: not one that is known here.
const StagedRing* known_ring(const Queue& queue) noexcept {
  return queue.is_concurrent() ? nullptr : EngineAccess::content(queue);
}

}  // namespace

// --- SentMessages ------------------------------------------------------------------------------

SentMessages::SentMessages(TraceEvents::Counter& counter, std::size_t capacity)
    : counter_(counter),
      capacity_(capacity),
      kept_(std::bit_ceil(std::min(2 * capacity + 2, kMostKept))) {}

void SentMessages::add(const StagedRing& ring, TraceEvents::Track& track,
                       std::int64_t now) noexcept {
  const std::lock_guard lock(lock_);
  for (std::size_t i = 0; i < ring.total(); ++i) {
    kept_[sent_ & (kept_.size() - 1)] = {EngineAccess::block(*ring.at(i)), track.number(), now};
    ++sent_;
  }
  fill_ = std::min(fill_ + ring.total(), left_ + capacity_);
  counter_.set(track, now, static_cast<std::int64_t>(fill_));
}

/// The number of this message among those that were sent, at `from` or some before.
std::uint64_t SentMessages::find(const Message& message, std::uint64_t from) const noexcept {
  const detail::MessageBlock* const block = EngineAccess::block(message);
  const std::uint64_t most = std::min<std::uint64_t>(kNearby, kept_.size());
  for (std::uint64_t i = 0; i < most && i <= from; ++i) {
    if (const std::uint64_t number = from - i;
        number < sent_ && number + kept_.size() >= sent_ && at(number).block == block) {
      return number;
    }
  }
  return kNotFound;
}

std::size_t SentMessages::look(const StagedRing& ring, TraceEvents::Track& track, std::int64_t now,
                               std::span<Sender> senders) noexcept {
  const std::lock_guard lock(lock_);
  const std::size_t size = ring.size();
  const std::size_t count = std::min(size, senders.size());
  const std::uint64_t newest =
      size != 0 && sent_ != 0 ? find(*ring.peek(size - 1), sent_ - 1) : kNotFound;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t behind = size - 1 - i;
    const std::uint64_t number =
        newest != kNotFound && newest >= behind ? find(*ring.peek(i), newest - behind) : kNotFound;
    senders[i] = number != kNotFound ? at(number) : Sender{};
  }
  fill_ = size + (newest != kNotFound ? sent_ - 1 - newest : 0);
  if (fill_ != 0) {
    counter_.set(track, now, static_cast<std::int64_t>(fill_));
  }
  return count;
}

void SentMessages::remove(std::size_t taken, std::size_t left, TraceEvents::Track& track,
                          std::int64_t now) noexcept {
  const std::lock_guard lock(lock_);
  fill_ -= std::min(fill_, taken);
  left_ = left;
  counter_.set(track, now, static_cast<std::int64_t>(fill_));
}

// --- TracedQueues ------------------------------------------------------------------------------

TracedQueues::TracedQueues(const Instance& instance, TraceEvents& trace)
    : of_receivers_(instance.graph().components.size()),
      entities_(instance.graph().entities.size()) {
  for (const LiveEntity& entity : instance.entities()) {
    add_inlets(entity, trace);
  }
  for (const LiveEntity& entity : instance.entities()) {
    add_outlets(entity);
  }
}

void TracedQueues::add_inlets(const LiveEntity& entity, TraceEvents& trace) {
  for (const Receiver* receiver : entity.receivers) {
    if (const StagedRing* const ring = known_ring(*receiver); ring != nullptr) {
      const std::string name = receiver->full_name();
      SentMessages& messages = messages_.emplace_back(trace.add_counter(name), ring->capacity());
      of_receivers_[receiver->component_id()] = &messages;
      entities_[entity.id].inlets.push_back({ring, &messages, trace.name(name), {}});
    }
  }
}

void TracedQueues::add_outlets(const LiveEntity& entity) {
  for (const Transmitter* transmitter : entity.transmitters) {
    Outlet outlet{known_ring(*transmitter), {}};
    for (const Receiver* receiver : transmitter->receivers()) {
      if (SentMessages* const messages = of_receivers_[receiver->component_id()];
          messages != nullptr) {
        outlet.receivers.push_back(messages);
      }
    }
    if (outlet.ring != nullptr && !outlet.receivers.empty()) {
      entities_[entity.id].outlets.push_back(std::move(outlet));
    }
  }
}

// --- TracedQueues::Tick ------------------------------------------------------------------------

TracedQueues::Tick::Tick(TracedQueues& queues, EntityId entity, TraceEvents::Track& track,
                         std::int64_t begin) noexcept
    : queues_(queues.entities_[entity]), track_(track), begin_(begin) {
  for (Inlet& inlet : queues_.inlets) {
    inlet.before = inlet.ring->size();
    known_ +=
        inlet.messages->look(*inlet.ring, track_, begin_, std::span(senders_).subspan(known_));
  }
}

TracedQueues::Tick::~Tick() {
  if (!has_ended_) {
    take(steady_now());
  }
}

/// Arrows from the senders of what the codelets have taken.
void TracedQueues::Tick::take(std::int64_t now) noexcept {
  std::size_t first = 0;
  for (Inlet& inlet : queues_.inlets) {
    const std::size_t left = inlet.ring->size();
    const std::size_t taken = inlet.before - std::min(inlet.before, left);
    add_arrows(inlet, taken, first);
    inlet.messages->remove(taken, left, track_, now);
  }
}

/// `first`: place of the first sender of this inlet, and then of the next one.
void TracedQueues::Tick::add_arrows(Inlet& inlet, std::size_t taken, std::size_t& first) noexcept {
  const std::size_t looked_at = std::min(inlet.before, known_ - first);
  for (std::size_t i = 0; i < std::min(taken, looked_at); ++i) {
    const SentMessages::Sender& sender = senders_[first + i];
    if (sender.block != nullptr && sender.time <= begin_ && inlet.arrows.take(begin_)) {
      TraceEvents::add_arrow(track_, inlet.name, sender.track, sender.time, begin_);
    }
  }
  first += looked_at;
}

void TracedQueues::Tick::end(std::int64_t now) noexcept {
  has_ended_ = true;
  take(now);
  for (const Outlet& outlet : queues_.outlets) {
    if (outlet.ring->total() != 0) {
      for (SentMessages* receiver : outlet.receivers) {
        receiver->add(*outlet.ring, track_, now);
      }
    }
  }
}

}  // namespace gxr
