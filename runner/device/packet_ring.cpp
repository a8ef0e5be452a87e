#include "gxr/cuda/packet_ring.hpp"

#include <cerrno>
#include <csignal>
#include <string>

#include <sys/types.h>
#include <unistd.h>

#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

const char* role_of(RingEnd end) { return end == RingEnd::Writer ? "writer" : "reader"; }

bool lives(std::uint32_t process) {
  return ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

}  // namespace

RingWaiter::~RingWaiter() = default;
PacketRing::~PacketRing() = default;

std::uint32_t* PacketRing::process_word(RingEnd /*end*/) noexcept { return nullptr; }

void PacketRing::take(RingEnd end, const Component& owner) {
  const std::lock_guard lock(mutex_);
  if (const Component* const other = at(end).owner) {
    throw Error(ErrorCode::InvalidState, "the ring '" + full_name() + "' has a " + role_of(end) +
                                             " already: '" + other->full_name() +
                                             "'; give each its own ring");
  }
  take_process_word(end);
  at(end).owner = &owner;
}

/// A process that was killed does not hold its end any more.
void PacketRing::take_process_word(RingEnd end) {
  std::uint32_t* const word = process_word(end);
  if (word == nullptr) {
    return;
  }
  const auto own = static_cast<std::uint32_t>(::getpid());
  const std::atomic_ref shared(*word);
  std::uint32_t there = shared.load(std::memory_order_acquire);
  while (there == 0 || !lives(there)) {
    if (shared.compare_exchange_weak(there, own, std::memory_order_acq_rel)) {
      return;
    }
  }
  throw Error(ErrorCode::InvalidState, "the ring '" + full_name() + "' has a " + role_of(end) +
                                           " already: " +
                                           (there == own ? "another component of this process"
                                                         : "process " + std::to_string(there)));
}

void PacketRing::give_up(RingEnd end) noexcept {
  const std::lock_guard lock(mutex_);
  if (at(end).owner == nullptr) {
    return;
  }
  at(end).owner = nullptr;
  if (std::uint32_t* const word = process_word(end)) {
    std::atomic_ref(*word).store(0, std::memory_order_release);
  }
}

void PacketRing::wait_at(RingEnd end, RingWaiter* waiter) noexcept {
  End& waiting = at(end);
  const std::lock_guard lock(waiting.mutex);
  waiting.waiter = waiter;
  waiting.waits.store(waiter != nullptr, std::memory_order_relaxed);
  // The waiter's next look at the ring comes behind this; see changed_by().
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void PacketRing::changed_by(RingEnd end) noexcept {
  // The change of the ring comes before this.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  End& waiting = at(end == RingEnd::Writer ? RingEnd::Reader : RingEnd::Writer);
  if (!waiting.waits.load(std::memory_order_relaxed)) {
    return;
  }
  const std::lock_guard lock(waiting.mutex);
  if (waiting.waits.exchange(false, std::memory_order_relaxed) && waiting.waiter != nullptr) {
    waiting.waiter->ring_changed();
  }
}

}  // namespace gxr::cuda
