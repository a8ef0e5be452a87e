#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/message.hpp"

namespace gxr {

class PortHook;  // of the engine: sees what passes the ports of a tick with device work
class Receiver;
class Transmitter;

/// What a queue does with a message for which it has no room. GXF spells these as the numbers 0,
/// 1, 2.
enum class OverflowPolicy : std::uint64_t {
  Pop = 0,     ///< the oldest message makes room
  Reject = 1,  ///< the new message is dropped
  Fault = 2,   ///< Error(Overflow)
};

/// The two stages of DoubleBufferReceiver and DoubleBufferTransmitter in one ring: what was pushed
/// last is the back stage, what sync() has seen the main stage.
class GXR_API StagedRing {
 public:
  /// Most messages of a stage.
  static constexpr std::uint64_t kGreatestCapacity = std::uint64_t{1} << 24U;

  StagedRing() = default;
  StagedRing(const StagedRing&) = delete;
  StagedRing& operator=(const StagedRing&) = delete;

  /// Drops all content. Throws Error(OutOfRange) for capacity 0 or more than
  /// kGreatestCapacity, Error(OutOfMemory) when there is no memory for it.
  void resize(std::uint64_t capacity, std::uint64_t policy);

  /// False when policy Reject dropped the message. Throws Error(Overflow) with policy Fault.
  bool push(Message&& message) {
    if (has_room()) {
      slots_[(head_ + main_ + back_) & mask_] = std::move(message);
      ++back_;
      return true;
    }
    return push_full(std::move(message));
  }
  /// Takes the oldest message of the main stage; null when there is none.
  [[gnu::always_inline]] Message pop() noexcept {  // on the way of each message: without a call
    if (main_ == 0) {
      return {};
    }
    Message message = std::move(slots_[head_]);
    head_ = (head_ + 1) & mask_;
    --main_;
    return message;
  }
  /// Takes the oldest message of both stages and pushes it onto `other`. Precondition: there is
  /// one, and other.has_room().
  void hand_over(StagedRing& other) noexcept {
    other.slots_[(other.head_ + other.main_ + other.back_) & other.mask_] =
        std::move(slots_[head_]);
    ++other.back_;
    head_ = (head_ + 1) & mask_;
    --(main_ != 0 ? main_ : back_);
  }
  /// Moves the back stage behind the main stage; on overflow the policy decides.
  void sync() {
    main_ += back_;
    seen_ += back_;
    back_ = 0;
    peak_ = std::max(peak_, main_);
    if (main_ > capacity_) {
      sync_full();
    }
  }
  /// The message `index` places behind the oldest of the main stage, or nullptr.
  [[nodiscard]] const Message* peek(std::size_t index) const noexcept {
    return index < main_ ? &slots_[(head_ + index) & mask_] : nullptr;
  }
  /// The message `index` places behind the oldest of both stages, or nullptr.
  [[nodiscard]] const Message* at(std::size_t index) const noexcept {
    return index < std::size_t{main_} + back_ ? &slots_[(head_ + index) & mask_] : nullptr;
  }
  /// The oldest message of both stages, or nullptr.
  [[nodiscard]] const Message* oldest() const noexcept {
    return total() != 0 ? &slots_[head_] : nullptr;
  }
  /// Messages on the main stage.
  [[nodiscard]] std::size_t size() const noexcept { return main_; }
  /// Messages on the back stage.
  [[nodiscard]] std::size_t back_size() const noexcept { return back_; }
  /// Messages of both stages.
  [[nodiscard]] std::uint32_t total() const noexcept { return main_ + back_; }
  /// Messages that each stage can hold.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// Can the back stage take one more?
  [[nodiscard]] bool has_room() const noexcept { return back_ < capacity_; }
  /// Would sync() find more than the main stage can hold?
  [[nodiscard]] bool overfull() const noexcept { return total() > capacity_; }
  /// What happens to messages without room.
  [[nodiscard]] OverflowPolicy policy() const noexcept {
    return static_cast<OverflowPolicy>(policy_);
  }
  /// Counts a message that the caller dropped for lack of room.
  void count_drop() noexcept { ++dropped_; }
  /// Messages that a policy, or for lack of room the caller, dropped so far.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
  /// Messages that arrived so far, without those that were dropped before sync().
  [[nodiscard]] std::uint64_t arrived() const noexcept { return seen_ + back_; }
  /// Most messages of both stages so far, as sync() saw them.
  [[nodiscard]] std::uint32_t peak() const noexcept { return std::max(peak_, total()); }
  /// Drops all messages.
  void clear() noexcept;

 private:
  /// Slots of the usual capacity, 1, beside the counters.
  static constexpr std::size_t kInlineSlots = 2;

  bool push_full(Message&& message);
  void sync_full();

  Message* slots_ = inline_slots_;  // or those of heap_slots_
  std::uint32_t mask_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t head_ = 0;
  std::uint32_t main_ = 0;
  std::uint32_t back_ = 0;
  std::uint32_t policy_ = 2;
  std::uint32_t peak_ = 0;
  std::uint64_t seen_ = 0;
  Message inline_slots_[kInlineSlots];
  std::unique_ptr<Message[]> heap_slots_;
  std::uint64_t dropped_ = 0;
};

/// A place where messages wait. Two stages: what arrives goes to the back stage; sync() moves it to
/// the main stage, from which the owner takes it. So a codelet sees a stable set of messages during
/// its tick.
class GXR_API Queue : public Component {
 public:
  ~Queue() override;

  /// Puts a message on the back stage; on overflow the queue's policy decides. Throws
  /// Error(InvalidArgument) for a null message.
  virtual void push(Message message) = 0;
  /// Takes the oldest message of the main stage; null when there is none.
  virtual Message pop() = 0;
  /// The message `index` places behind the oldest of the main stage, or nullptr.
  [[nodiscard]] virtual const Message* peek(std::size_t index = 0) const = 0;
  /// The oldest message, also when it has only just arrived; nullptr when there is none or the
  /// queue shows none.
  [[nodiscard]] const Message* oldest() const {
    return ring_ != nullptr ? ring_->oldest() : peek(0);
  }
  /// The message `index` places behind that one; nullptr when there is none or the queue shows
  /// none.
  [[nodiscard]] const Message* at(std::size_t index) const {
    return ring_ != nullptr ? ring_->at(index) : peek(index);
  }
  /// Messages each stage can hold.
  [[nodiscard]] virtual std::size_t capacity() const = 0;
  /// Messages on the main stage.
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Messages on the back stage.
  [[nodiscard]] virtual std::size_t back_size() const = 0;
  /// Moves the back stage behind the main stage.
  virtual void sync() = 0;
  /// Drops all messages; the engine calls it when the run has ended.
  virtual void clear();
  /// Can push() be called by one thread while another takes messages, so that what arrives is
  /// visible at once? Engines with several threads serialise the calls of all other queues.
  [[nodiscard]] virtual bool is_concurrent() const noexcept { return false; }

 protected:
  /// `ring` holds the messages, and gxr reads and writes it without virtual calls. For types that
  /// nobody derives from: an override of push() or pop() would be passed by.
  void use_ring(StagedRing& ring) noexcept { ring_ = &ring; }
  /// `ring` holds the messages: the report of the run counts them there.
  void count_ring(const StagedRing& ring) noexcept { content_ = &ring; }
  /// For push(): throws Error(InvalidArgument) for a null message, which no queue takes.
  void require_message(const Message& message) const {
    if (!message) {
      throw_null_pushed();
    }
  }

 private:
  friend class EngineAccess;
  friend class Receiver;
  friend class Transmitter;

  [[noreturn]] void throw_null_pushed() const;

  StagedRing* ring_ = nullptr;
  const StagedRing* content_ = nullptr;
  std::atomic<std::uint64_t> lost_{0};  // messages that the engine could not push for lack of room
};

/// Input queue of an entity.
class GXR_API Receiver : public Queue {
 public:
  ~Receiver() override;

  /// Takes the oldest message; throws Error(NotAvailable) when there is none, so it is never null.
  /// A mailbox (see AsyncBufferReceiver) gives its newest message instead.
  ///
  /// Waits for device work that still writes the message's data, unless a gxr::cuda::Streams of the
  /// codelet sees to that.
  Message receive() {
    Message message = receive_unfinished();
    if (message.has_device_work() || hook_ != nullptr) {
      see_to_device_work(message);
    }
    return message;
  }
  /// The same, but a null message when there is none.
  Message receive_if_any() {
    Message message = pop();
    if (message && (message.has_device_work() || hook_ != nullptr)) {
      see_to_device_work(message);
    }
    return message;
  }
  /// Like receive(), and never waits: for codelets that pass messages on and do not look at their
  /// data.
  [[gnu::always_inline]] Message receive_unfinished() {  // like StagedRing::pop()
    if (StagedRing* usual = ring_; usual != nullptr && usual->size() != 0) {
      Message message = usual->pop();
      announce_space();
      return message;
    }
    return receive_by_call();
  }

 protected:
  /// For push(): tells the scheduler that a message has arrived.
  void announce_arrival() noexcept {
    if (observer_ != nullptr) {
      observer_->message_arrived(*this);
    }
  }
  /// For pop(): tells the scheduler that there is room.
  void announce_space() noexcept {
    if (observer_ != nullptr) {
      observer_->space_freed(*this);
    }
  }

 private:
  friend class EngineAccess;

  // A scheduler hears of its receivers through it. It is complete here, so that calls are inline.
  class GXR_API Observer {
   public:
    virtual ~Observer();
    virtual void message_arrived(Receiver& receiver) noexcept = 0;
    virtual void space_freed(Receiver& receiver) noexcept = 0;
  };

  Message receive_by_call();
  void see_to_device_work(Message& message);

  Observer* observer_ = nullptr;
  PortHook* hook_ = nullptr;
  std::uint32_t watcher_ = 0;        // a number of the observer's own
  std::atomic<int> takes_over_{-1};  // GPU whose streams its codelet takes over; below 0: none
};

/// Output queue of an entity. Messages of a tick leave when the tick has ended.
class GXR_API Transmitter : public Queue {
 public:
  ~Transmitter() override;

  /// Publishes as it is. Throws Error(InvalidArgument) for a null message: one that was never made,
  /// or that was moved from.
  void publish(Message message) {
    if (!message) [[unlikely]] {
      throw_null_published();
    }
    if (hook_ != nullptr) {
      tell_hook(message);
    }
    if (StagedRing* usual = ring_; usual != nullptr && usual->has_room()) {
      usual->push(std::move(message));
    } else {
      push(std::move(message));
    }
  }
  /// Sets the acquisition time of the part "timestamp" (added when missing; pubtime 0) and
  /// publishes.
  void publish(Message message, std::int64_t acqtime);
  /// Receivers that connections join to this transmitter, in the order of distribution.
  [[nodiscard]] const std::vector<Receiver*>& receivers() const noexcept { return receivers_; }

 private:
  friend class EngineAccess;

  [[noreturn]] void throw_null_published() const;
  void tell_hook(Message& message);

  PortHook* hook_ = nullptr;
  std::vector<Receiver*> receivers_;
};

/// A queue whose two stages are a StagedRing, with GXF's parameters `capacity` and `policy`. A
/// derived class may override push() and pop(); the engine then calls them for every message.
template <class Base>
class StagedQueue : public Base {
 public:
  StagedQueue() noexcept { this->count_ring(ring_); }
  /// Declares `capacity` and `policy`.
  void declare(Interface& interface) override;
  /// Makes the stages. Throws Error(OutOfRange) for a capacity of 0 or more than
  /// StagedRing::kGreatestCapacity.
  void initialize() override;
  /// Drops all messages.
  void deinitialize() override;

  /// Queue::push().
  void push(Message message) override;
  /// Queue::pop().
  Message pop() override;
  /// Queue::peek().
  [[nodiscard]] const Message* peek(std::size_t index) const override { return ring_.peek(index); }
  /// Queue::capacity().
  [[nodiscard]] std::size_t capacity() const override { return ring_.capacity(); }
  /// Queue::size().
  [[nodiscard]] std::size_t size() const override { return ring_.size(); }
  /// Queue::back_size().
  [[nodiscard]] std::size_t back_size() const override { return ring_.back_size(); }
  /// Queue::sync().
  void sync() override { ring_.sync(); }
  /// Queue::clear().
  void clear() override { ring_.clear(); }

 protected:
  /// declare() for queues whose parameter `policy` has another default.
  void declare_stages(Interface& interface, OverflowPolicy policy);
  /// The ring, for use_ring().
  [[nodiscard]] StagedRing& staged_ring() noexcept { return ring_; }

 private:
  StagedRing ring_;
  Parameter<std::uint64_t> capacity_;
  Parameter<std::uint64_t> policy_;
};
extern template class GXR_API StagedQueue<Receiver>;
extern template class GXR_API StagedQueue<Transmitter>;

/// The usual input queue: capacity messages in each stage.
class GXR_API DoubleBufferReceiver final : public StagedQueue<Receiver> {
 public:
  DoubleBufferReceiver() noexcept { use_ring(staged_ring()); }
  ~DoubleBufferReceiver() override;
  void declare(Interface& interface) override;
};

/// The usual output queue: capacity messages in each stage.
class GXR_API DoubleBufferTransmitter final : public StagedQueue<Transmitter> {
 public:
  DoubleBufferTransmitter() noexcept { use_ring(staged_ring()); }
  ~DoubleBufferTransmitter() override;
  void declare(Interface& interface) override;
};

/// Joins a transmitter to a receiver.
class GXR_API Connection final : public Component {
 public:
  ~Connection() override;
  void declare(Interface& interface) override;

  /// Where the messages come from.
  [[nodiscard]] Transmitter& source() const { return *source_.get(); }
  /// Where the messages go to.
  [[nodiscard]] Receiver& target() const { return *target_.get(); }

 private:
  Parameter<Handle<Transmitter>> source_;
  Parameter<Handle<Receiver>> target_;
  Parameter<bool> delayed_;
};

/// Joins transmitters to receivers by a name: each transmitter of all Topics of one name to each
/// receiver of them.
class GXR_API Topic final : public Component {
 public:
  ~Topic() override;
  void declare(Interface& interface) override;

  /// What the Topics that belong together have in common.
  [[nodiscard]] const std::string& topic_name() const { return topic_name_.get(); }
  /// Where the topic's messages come from.
  [[nodiscard]] const std::vector<Handle<Transmitter>>& transmitters() const {
    return transmitters_.get();
  }
  /// Where the topic's messages go to.
  [[nodiscard]] const std::vector<Handle<Receiver>>& receivers() const { return receivers_.get(); }

 private:
  Parameter<std::string> topic_name_;
  Parameter<std::vector<Handle<Transmitter>>> transmitters_;
  Parameter<std::vector<Handle<Receiver>>> receivers_;
};

}  // namespace gxr
