#include "executors/previews.hpp"

#include <algorithm>
#include <utility>

#include "gxr/queue.hpp"
#include "sdk/engine_access.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// Between two previews of an entity, ns.
constexpr std::int64_t kInterval = 450'000'000;
/// So many times as long as a preview took, none is taken; but not longer than that.
constexpr std::int64_t kRest = 200;
constexpr std::int64_t kLongestRest = 5'000'000'000;
/// So long after the last question somebody still looks, ns.
constexpr std::int64_t kInterest = 3'000'000'000;

std::uint64_t ticks_of(const LiveEntity& entity) {
  return entity.codelets.empty()
             ? 0
             : static_cast<std::uint64_t>(entity.codelets.front()->execution_count());
}

/// Transmitters whose messages only their receivers can look at.
std::vector<QueuePreview> queues_that_hide(const LiveEntity& entity) {
  std::vector<QueuePreview> queues;
  for (const Transmitter* transmitter : entity.transmitters) {
    if (EngineAccess::content(*transmitter) == nullptr) {
      QueuePreview& queue = queues.emplace_back();
      queue.queue = transmitter->full_name();
      queue.preview.why_not = "messages of " + transmitter->type() + " cannot be looked at";
    }
  }
  return queues;
}

}  // namespace

Previews::Previews(const Instance& instance)
    : instance_(instance),
      due_(std::make_unique<std::atomic<std::int64_t>[]>(instance.entities().size())) {
  for (std::size_t i = 0; i < instance.entities().size(); ++i) {
    due_[i].store(kNever, std::memory_order_relaxed);
  }
}

EntityPreviews Previews::ask(std::size_t index) {
  const std::lock_guard lock(mutex_);
  Wanted& wanted = wanted_[index];
  const std::int64_t now = steady_now();
  if (now > wanted.until) {
    wanted.last = {};  // nobody has looked for long
  }
  wanted.until = now + kInterest;
  std::int64_t never = kNever;
  due_[index].compare_exchange_strong(never, now);
  return wanted.last;
}

void Previews::take(std::size_t index) noexcept {
  const std::int64_t begin = steady_now();
  if (begin < due_[index].load(std::memory_order_relaxed)) {
    return;
  }
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return;  // the next tick does it
  }
  try {
    Wanted& wanted = wanted_.at(index);
    if (begin > wanted.until) {
      due_[index].store(kNever, std::memory_order_relaxed);
      wanted.last = {};  // gives its memory back
      return;
    }
    const LiveEntity& entity = instance_.entities()[index];
    EntityPreviews taken;
    for (const Transmitter* transmitter : entity.transmitters) {
      if (const Message* const message = transmitter->oldest()) {
        taken.queues.push_back({transmitter->full_name(), preview_of(*message)});
      }
    }
    if (taken.queues.empty()) {
      taken.queues = queues_that_hide(entity);
    }
    if (taken.queues.empty()) {
      return;  // of a tick that sends something
    }
    taken.tick = ticks_of(entity);
    wanted.last = std::move(taken);
  } catch (...) {  // there is no memory now
  }
  const std::int64_t end = steady_now();
  due_[index].store(end + std::clamp(kRest * (end - begin), kInterval, kLongestRest),
                    std::memory_order_relaxed);
}

}  // namespace gxr
