#include "executors/parallel/inbox.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "executors/receiver_sync.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

std::uint32_t bounded(std::size_t count) noexcept {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(count, std::numeric_limits<std::uint32_t>::max() / 2));
}

/// For each hop of a message, so without a call where there is memory.
[[gnu::flatten]] inline void append(std::vector<Message>& messages, Message&& message) {
  messages.push_back(std::move(message));
}

}  // namespace

Inbox::Inbox(Receiver& receiver)
    : receiver_(receiver),
      ring_(EngineAccess::ring(receiver)),
      capacity_(bounded(receiver.capacity())) {
  occupied_.store(held());
}

std::uint32_t Inbox::held() const {
  return ring_ != nullptr ? ring_->total() : bounded(receiver_.size() + receiver_.back_size());
}

bool Inbox::deliver(Message message) {
  Message victim;  // goes when the lock is free again
  const std::lock_guard lock(lock_);
  if (ring_ != nullptr && arrived_.size() + staged_ >= capacity_) {
    if (ring_->policy() == OverflowPolicy::Fault) {
      return false;
    }
    if (ring_->policy() == OverflowPolicy::Reject) {
      ++dropped_;
      victim = std::move(message);
      return true;
    }
    if (arrived_.size() >= capacity_) {
      victim = std::move(arrived_.front());
      arrived_.erase(arrived_.begin());
      ++dropped_;
      occupied_.fetch_sub(1);
    }
    // Otherwise the ring drops its oldest when this one is moved to it.
  }
  append(arrived_, std::move(message));
  occupied_.fetch_add(1);
  return true;
}

bool Inbox::claim(std::uint32_t messages) {
  const std::lock_guard lock(lock_);
  if (std::uint64_t{total()} + claimed_ + messages > capacity_) {
    refused_ = true;
    return false;
  }
  claimed_ += messages;
  return true;
}

bool Inbox::release(std::uint32_t messages) {
  const std::lock_guard lock(lock_);
  claimed_ -= messages;
  return std::exchange(refused_, false);
}

/// Precondition: the lock is held, the receiver has a ring.
void Inbox::move_to_ring() {
  for (; dropped_ > 0; --dropped_) {
    ring_->count_drop();
  }
  const auto due = static_cast<std::uint32_t>(ring_->total() + arrived_.size());
  for (Message& message : arrived_) {
    ring_->push(std::move(message));
  }
  arrived_.clear();
  if (ring_->total() != due) {
    occupied_.fetch_sub(due - ring_->total());  // policy 0 dropped the oldest
  }
}

void Inbox::take_in() {
  if (ring_ != nullptr) {
    const std::lock_guard lock(lock_);
    move_to_ring();
    staged_ = static_cast<std::uint32_t>(ring_->back_size());
    return;
  }
  std::vector<Message> arrived;
  {
    const std::lock_guard lock(lock_);
    arrived.swap(arrived_);
  }
  const std::uint32_t due = held() + static_cast<std::uint32_t>(arrived.size());
  for (Message& message : arrived) {
    receiver_.push(std::move(message));
  }
  occupied_.fetch_sub(due - held());  // modulo 2^32: the receiver decides what it keeps
}

void Inbox::sync(OverfullReceivers& overfull) {
  overfull.guard(receiver_, [this] {
    if (ring_ != nullptr) {
      const std::lock_guard lock(lock_);
      move_to_ring();
      staged_ = 0;
    } else {
      take_in();
    }
    held_before_ = held();
    sync_receiver(receiver_);
  });
}

bool Inbox::settle() {
  const std::uint32_t left = held();
  if (left == held_before_) {
    return false;
  }
  const bool taken = left < held_before_;
  occupied_.fetch_sub(held_before_ - left);  // modulo 2^32: a receiver may also have more
  held_before_ = left;
  return taken;
}

}  // namespace gxr
