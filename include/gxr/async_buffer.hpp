#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "gxr/message_account.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// The newest message of a mailbox. Thread-safe.
class GXR_API LatestMessage {
 public:
  /// Replaces the message; the one before is forgotten.
  void put(Message message) noexcept;
  /// The newest message, null before the first; it stays.
  [[nodiscard]] Message get() noexcept;
  /// The newest message, which leaves.
  [[nodiscard]] Message take() noexcept;
  /// Forgets the message.
  void clear() noexcept;
  /// Is there no message?
  [[nodiscard]] bool empty() const noexcept;
  /// Is there a message that nobody has got or taken?
  [[nodiscard]] bool has_unread() const noexcept;
  /// Counts of the messages put, and of those replaced before anybody got or took them.
  [[nodiscard]] std::vector<Discard> discards() const;

 private:
  mutable std::mutex mutex_;  // guards the members below
  Message message_;
  bool unread_ = false;
  std::uint64_t put_ = 0;
  std::uint64_t replaced_ = 0;
};

/// A mailbox that holds the newest message only, for entities that run at rates of their own.
/// receive() never waits: it gives the newest message, the same one again when no other has come.
/// It throws before the first one, when pop() and receive_if_any() give a null message. size() is
/// always 1, so that terms that wait for one message, or for room for one, are always READY. A push
/// is visible at once, without sync(), from any thread.
class GXR_API AsyncBufferReceiver final : public Receiver, public MessageAccount {
 public:
  ~AsyncBufferReceiver() override;

  void push(Message message) override;
  /// The newest message, which stays; null before the first.
  Message pop() override;
  /// nullptr: what is newest may change at any time, so it cannot be pointed at.
  [[nodiscard]] const Message* peek(std::size_t index) const override;
  [[nodiscard]] std::size_t capacity() const override { return 2; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] std::size_t back_size() const override { return 0; }
  void sync() override;
  void clear() override;
  [[nodiscard]] bool is_concurrent() const noexcept override { return true; }
  [[nodiscard]] std::vector<Discard> discards() const override { return newest_.discards(); }
  [[nodiscard]] std::size_t unread() const override { return newest_.has_unread() ? 1 : 0; }

 private:
  LatestMessage newest_;
};

/// Counterpart of AsyncBufferReceiver: of the messages that are published in one tick, the newest
/// leaves.
class GXR_API AsyncBufferTransmitter final : public Transmitter, public MessageAccount {
 public:
  ~AsyncBufferTransmitter() override;

  void push(Message message) override;
  Message pop() override;
  [[nodiscard]] const Message* peek(std::size_t index) const override;
  [[nodiscard]] std::size_t capacity() const override { return 1; }
  [[nodiscard]] std::size_t size() const override { return newest_.empty() ? 0 : 1; }
  [[nodiscard]] std::size_t back_size() const override { return 0; }
  void sync() override;
  void clear() override;
  [[nodiscard]] bool is_concurrent() const noexcept override { return true; }
  [[nodiscard]] std::vector<Discard> discards() const override { return newest_.discards(); }

 private:
  LatestMessage newest_;
};

}  // namespace gxr
