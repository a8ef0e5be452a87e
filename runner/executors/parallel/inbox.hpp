#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "gxr/queue.hpp"
#include "system/spin_lock.hpp"

namespace gxr {

class OverfullReceivers;

/// The back stage of a receiver when several threads run an application: producers put messages
/// here, and the thread that runs the receiver's entity moves them to the receiver, which no other
/// thread touches. For receivers that are not concurrent themselves.
class Inbox {
 public:
  explicit Inbox(Receiver& receiver);

  [[nodiscard]] Receiver& receiver() const noexcept { return receiver_; }
  /// Messages that the receiver can hold in one stage.
  [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
  /// Messages here and in the receiver. Any thread.
  [[nodiscard]] std::uint32_t total() const noexcept { return occupied_.load(); }

  /// False when the message has no room and the receiver's policy calls that a fault; policies 0
  /// and 1 drop a message and count it. Any thread.
  bool deliver(Message message);
  /// Keeps room for what a producer is about to send, so that no other one takes it. False: there
  /// is too little beside what others have claimed. Any thread.
  [[nodiscard]] bool claim(std::uint32_t messages);
  /// Gives a claim back, when what was sent has come. True: another one was refused meanwhile.
  [[nodiscard]] bool release(std::uint32_t messages);

  // By the thread that runs the receiver's entity:

  /// Moves what has arrived to the receiver's back stage. Throws what the receiver's push() throws.
  void take_in();
  /// take_in() and sync(), guarded by `overfull`: the entity is about to tick.
  void sync(OverfullReceivers& overfull);
  /// The entity has ticked: counts what it left. True when it took something.
  bool settle();

 private:
  [[nodiscard]] std::uint32_t held() const;
  void move_to_ring();

  Receiver& receiver_;
  StagedRing* const ring_;
  const std::uint32_t capacity_;
  std::uint32_t held_before_ = 0;  // by the receiver, at sync()

  SpinLock lock_;  // guards the members below
  std::vector<Message> arrived_;
  std::uint32_t staged_ = 0;  // on the ring's back stage
  std::uint64_t dropped_ = 0;
  std::uint32_t claimed_ = 0;
  bool refused_ = false;  // a claim, since the last release
  std::atomic<std::uint32_t> occupied_{0};
};

}  // namespace gxr
