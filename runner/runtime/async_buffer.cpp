#include "gxr/async_buffer.hpp"

#include <utility>

namespace gxr {

// Messages are destroyed outside the lock: their parts may give memory back to allocators that
// notify others.

void LatestMessage::put(Message message) noexcept {
  {
    const std::lock_guard lock(mutex_);
    std::swap(message_, message);
  }
}

Message LatestMessage::get() const noexcept {
  const std::lock_guard lock(mutex_);
  return message_;
}

Message LatestMessage::take() noexcept {
  const std::lock_guard lock(mutex_);
  return std::move(message_);
}

bool LatestMessage::empty() const noexcept {
  const std::lock_guard lock(mutex_);
  return !message_;
}

AsyncBufferReceiver::~AsyncBufferReceiver() = default;

void AsyncBufferReceiver::push(Message message) {
  newest_.put(std::move(message));
  announce_arrival();
}

Message AsyncBufferReceiver::pop() { return newest_.get(); }
const Message* AsyncBufferReceiver::peek(std::size_t) const { return nullptr; }
void AsyncBufferReceiver::sync() {}
void AsyncBufferReceiver::clear() { newest_.put({}); }

AsyncBufferTransmitter::~AsyncBufferTransmitter() = default;

void AsyncBufferTransmitter::push(Message message) { newest_.put(std::move(message)); }
Message AsyncBufferTransmitter::pop() { return newest_.take(); }
const Message* AsyncBufferTransmitter::peek(std::size_t) const { return nullptr; }
void AsyncBufferTransmitter::sync() {}
void AsyncBufferTransmitter::clear() { newest_.put({}); }

}  // namespace gxr
