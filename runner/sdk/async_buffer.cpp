#include "gxr/async_buffer.hpp"

#include <utility>

namespace gxr {

// Messages are destroyed outside the lock: their parts may give memory back to allocators that
// notify others.

void LatestMessage::put(Message message) noexcept {
  const std::lock_guard lock(mutex_);
  std::swap(message_, message);
  ++put_;
  replaced_ += unread_ ? 1 : 0;
  unread_ = true;
}

Message LatestMessage::get() noexcept {
  const std::lock_guard lock(mutex_);
  unread_ = false;
  return message_;
}

Message LatestMessage::take() noexcept {
  const std::lock_guard lock(mutex_);
  unread_ = false;
  return std::move(message_);
}

void LatestMessage::clear() noexcept {
  Message old;
  const std::lock_guard lock(mutex_);
  std::swap(message_, old);
  unread_ = false;
}

bool LatestMessage::has_unread() const noexcept {
  const std::lock_guard lock(mutex_);
  return unread_;
}

std::vector<Discard> LatestMessage::discards() const {
  const std::lock_guard lock(mutex_);
  return {{replaced_, put_, "newer ones came before they were read"}};
}

bool LatestMessage::empty() const noexcept {
  const std::lock_guard lock(mutex_);
  return !message_;
}

AsyncBufferReceiver::~AsyncBufferReceiver() = default;

void AsyncBufferReceiver::push(Message message) {
  require_message(message);
  newest_.put(std::move(message));
  announce_arrival();
}

Message AsyncBufferReceiver::pop() { return newest_.get(); }
const Message* AsyncBufferReceiver::peek(std::size_t) const { return nullptr; }
void AsyncBufferReceiver::sync() {}
void AsyncBufferReceiver::clear() { newest_.clear(); }

AsyncBufferTransmitter::~AsyncBufferTransmitter() = default;

void AsyncBufferTransmitter::push(Message message) {
  require_message(message);
  newest_.put(std::move(message));
}

Message AsyncBufferTransmitter::pop() { return newest_.take(); }
const Message* AsyncBufferTransmitter::peek(std::size_t) const { return nullptr; }
void AsyncBufferTransmitter::sync() {}
void AsyncBufferTransmitter::clear() { newest_.clear(); }

}  // namespace gxr
