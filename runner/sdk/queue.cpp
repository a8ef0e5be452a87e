#include "gxr/queue.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <type_traits>

#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/message_account.hpp"
#include "gxr/timestamp.hpp"
#include "sdk/device_wait.hpp"
#include "sdk/port_hook.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

thread_local std::int64_t last_wait = 0;

std::unique_ptr<Message[]> make_slots(std::uint64_t count, std::uint64_t capacity) {
  try {
    return std::make_unique<Message[]>(count);
  } catch (const std::bad_alloc&) {
    const std::uint64_t megabytes = count * sizeof(Message) / (1024 * 1024);
    throw Error(ErrorCode::OutOfMemory, "a queue of capacity " + std::to_string(capacity) +
                                            " needs " + std::to_string(megabytes) +
                                            " MB, which are not there");
  }
}

/// Says which queue is full, and what helps: what a codelet publishes leaves behind its tick only.
std::string full_text(const Transmitter& transmitter, const StagedRing& ring) {
  return "'" + transmitter.full_name() + "' is full (capacity " + std::to_string(ring.capacity()) +
         "): the codelet published " + std::to_string(ring.back_size() + 1) +
         " messages in this tick; raise 'capacity' of " + transmitter.full_name();
}

std::string full_text(const Receiver& receiver, const StagedRing& ring) {
  return "'" + receiver.full_name() + "' is full (capacity " + std::to_string(ring.capacity()) +
         ", policy 2 = fault)";
}

}  // namespace

Receiver::Observer::~Observer() = default;
MessageAccount::~MessageAccount() = default;
Queue::~Queue() = default;
Receiver::~Receiver() = default;

void Queue::clear() {
  sync();
  for (std::size_t left = size(); left > 0 && pop(); --left) {
  }
}

Transmitter::~Transmitter() = default;
DoubleBufferReceiver::~DoubleBufferReceiver() = default;
DoubleBufferTransmitter::~DoubleBufferTransmitter() = default;
Connection::~Connection() = default;
Topic::~Topic() = default;

Message Receiver::receive_by_call() {
  Message message = pop();
  if (message) {
    announce_space();
    return message;
  }
  // A mailbox always counts one.
  const bool is_mailbox = size() > 0;
  throw Error(ErrorCode::NotAvailable,
              is_mailbox
                  ? "no message has come to '" + full_name() +
                        "' yet, which no term waits for: pop() gives a null message until then"
                  : "no message on receiver '" + full_name() +
                        "'; a MessageAvailableSchedulingTerm on it makes its entity wait for as "
                        "many as its min_size says");
}

std::int64_t last_device_wait() noexcept { return last_wait; }

void Receiver::see_to_device_work(Message& message) {
  if (hook_ == nullptr) {
    const DeviceWork work = message.device_work();
    const bool is_there = !work || work.stream->is_done(work.number);
    message.wait_for_device();
    if (!is_there) {
      last_wait = steady_now();
    }
  } else if (message) {
    hook_->received(*this, message);
  }
}

void Queue::throw_null_pushed() const {
  throw Error(ErrorCode::InvalidArgument,
              "a null message was pushed to '" + full_name() +
                  "': it was never made, or was moved from; make one with context().new_message()");
}

void Transmitter::throw_null_published() const {
  throw Error(ErrorCode::InvalidArgument,
              "a null message was published on '" + full_name() +
                  "': it was never made, or was moved from; make one with context().new_message()");
}

void Transmitter::tell_hook(Message& message) { hook_->publishing(*this, message); }

void Transmitter::publish(Message message, std::int64_t acqtime) {
  if (!message) {
    throw_null_published();
  }
  Timestamp& timestamp = message.find<Timestamp>("timestamp") != nullptr
                             ? message.make_writable<Timestamp>("timestamp")
                             : message.add<Timestamp>("timestamp");
  timestamp.acqtime = acqtime;
  timestamp.pubtime = 0;
  publish(std::move(message));
}

void StagedRing::resize(std::uint64_t capacity, std::uint64_t policy) {
  if (capacity == 0 || capacity > kGreatestCapacity) {
    throw Error(ErrorCode::OutOfRange, "capacity " + std::to_string(capacity) +
                                           " is not between 1 and " +
                                           std::to_string(kGreatestCapacity));
  }
  const auto slots = std::bit_ceil(2 * capacity);
  clear();
  heap_slots_ = slots > kInlineSlots ? make_slots(slots, capacity) : nullptr;
  slots_ = heap_slots_ != nullptr ? heap_slots_.get() : inline_slots_;
  mask_ = static_cast<std::uint32_t>(slots - 1);
  capacity_ = static_cast<std::uint32_t>(capacity);
  policy_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(policy, 2));
  head_ = main_ = back_ = 0;
  seen_ = dropped_ = 0;
}

bool StagedRing::push_full(Message&& message) {
  const Message incoming = std::move(message);
  if (policy_ == 1 || capacity_ == 0) {
    ++dropped_;
    return false;
  }
  if (policy_ == 2) {
    throw Error(ErrorCode::Overflow,
                "the queue is full (capacity " + std::to_string(capacity_) + ", policy 2 = fault)");
  }
  for (std::uint32_t i = 0; i + 1 < back_; ++i) {
    slots_[(head_ + main_ + i) & mask_] = std::move(slots_[(head_ + main_ + i + 1) & mask_]);
  }
  slots_[(head_ + main_ + back_ - 1) & mask_] = incoming;
  ++dropped_;
  return true;
}

void StagedRing::sync_full() {
  const std::uint32_t excess = main_ - capacity_;
  if (policy_ == 2) {
    // The counts stay as they were before the sync, so the caller may go on after handling the
    // error.
    main_ = capacity_;
    back_ = excess;
    seen_ -= excess;
    throw Error(ErrorCode::Overflow, "more messages arrived than the queue can hold (capacity " +
                                         std::to_string(capacity_) + ", policy 2 = fault)");
  }
  dropped_ += excess;
  for (std::uint32_t i = 0; i < excess; ++i) {
    if (policy_ == 0) {
      slots_[head_].reset();
      head_ = (head_ + 1) & mask_;
    } else {
      slots_[(head_ + main_ - 1 - i) & mask_].reset();
    }
  }
  main_ = capacity_;
}

void StagedRing::clear() noexcept {
  for (std::uint32_t i = 0; i <= mask_; ++i) {
    slots_[i].reset();
  }
  seen_ += back_;
  head_ = main_ = back_ = 0;
}

template <class Base>
void StagedQueue<Base>::declare(Interface& interface) {
  declare_stages(interface, OverflowPolicy::Fault);
}

template <class Base>
void StagedQueue<Base>::declare_stages(Interface& interface, OverflowPolicy policy) {
  interface.parameter(capacity_, "capacity", "Messages that each of the two stages can hold")
      .default_value(1)
      .range(1.0, static_cast<double>(StagedRing::kGreatestCapacity))
      .unit("messages");
  interface.parameter(policy_, "policy", "What happens to a message for which there is no room")
      .default_value(static_cast<std::uint64_t>(policy))
      .choices({{"0", "pop: the oldest message is dropped to make room"},
                {"1", "reject: the new message is dropped"},
                {"2", "fault: an error"}});
}

template <class Base>
void StagedQueue<Base>::initialize() {
  ring_.resize(*capacity_, *policy_);
}

template <class Base>
void StagedQueue<Base>::deinitialize() {
  ring_.clear();
}

template <class Base>
void StagedQueue<Base>::push(Message message) {
  this->require_message(message);
  if (!ring_.has_room() && ring_.capacity() != 0 && ring_.policy() == OverflowPolicy::Fault) {
    throw Error(ErrorCode::Overflow, full_text(*this, ring_));
  }
  [[maybe_unused]] const bool taken = ring_.push(std::move(message));
  if constexpr (std::is_same_v<Base, Receiver>) {
    if (taken) {
      this->announce_arrival();
    }
  }
}

template <class Base>
Message StagedQueue<Base>::pop() {
  Message message = ring_.pop();
  if constexpr (std::is_same_v<Base, Receiver>) {
    if (message) {
      this->announce_space();
    }
  }
  return message;
}

template class StagedQueue<Receiver>;
template class StagedQueue<Transmitter>;

void DoubleBufferReceiver::declare(Interface& interface) {
  StagedQueue::declare(interface);
  interface.plain_queue("capacity", "policy");
}

void DoubleBufferTransmitter::declare(Interface& interface) {
  StagedQueue::declare(interface);
  interface.plain_queue("capacity", "policy");
}

void Connection::declare(Interface& interface) {
  interface.parameter(source_, "source", "Transmitter whose messages are passed on");
  interface.parameter(target_, "target", "Receiver that gets them");
  interface
      .parameter(delayed_, "delayed", "The receiver gets what was sent the time before",
                 "In a CUDA graph only, for what goes round: an operator reads what another one, or "
                 "itself, wrote when it ran last; zeros at first.")
      .default_value(false);
}

void Topic::declare(Interface& interface) {
  interface
      .parameter(topic_name_, "topic_name", "What the transmitters and receivers have in common",
                 "Topics of the same name, wherever they are, count as one. Empty: the name of the "
                 "component.")
      .default_value("");
  interface.parameter(transmitters_, "transmitters", "Transmitters that publish to the topic")
      .default_value({});
  interface.parameter(receivers_, "receivers", "Receivers that get all messages of the topic")
      .default_value({});
}

}  // namespace gxr
