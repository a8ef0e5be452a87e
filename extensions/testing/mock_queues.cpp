#include "mock_queues.hpp"

#include <string>
#include <utility>

namespace gxr::testing {
namespace {

[[noreturn]] void fail_as_told(const char* parameter) {
  throw Error(std::string("fails because of its parameter '") + parameter + "'");
}

/// The mistake that mock queues are there to find.
void require_empty(const SingleStage& stage, const char* what, const char* parameter) {
  const std::size_t left = stage.left_over();
  if (left > 0) {
    throw Error(std::to_string(left) + (left == 1 ? " message was" : " messages were") + " never " +
                what + "; `" + parameter + ": true` allows that");
  }
}

}  // namespace

void SingleStage::push(Message message, std::size_t capacity, const Component& queue) {
  const std::lock_guard lock(mutex_);
  if (messages_.size() >= capacity) {
    throw Error(ErrorCode::Overflow, "'" + queue.full_name() + "' is full (max_capacity " +
                                         std::to_string(capacity) + ")");
  }
  messages_.push_back(std::move(message));
}

Message SingleStage::pop() {
  const std::lock_guard lock(mutex_);
  if (messages_.empty()) {
    return {};
  }
  Message message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

const Message* SingleStage::peek(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return index < messages_.size() ? &messages_[index] : nullptr;
}

std::size_t SingleStage::size() const {
  const std::lock_guard lock(mutex_);
  return messages_.size();
}

void SingleStage::clear() {
  const std::lock_guard lock(mutex_);
  dropped_ += messages_.size();
  messages_.clear();
}

std::size_t SingleStage::left_over() const {
  const std::lock_guard lock(mutex_);
  return dropped_ + messages_.size();
}

void SingleStage::reset() {
  const std::lock_guard lock(mutex_);
  messages_.clear();
  dropped_ = 0;
}

void MockReceiver::declare(Interface& interface) {
  interface
      .parameter(ignore_unreceived_entities_, "ignore_unreceived_entities",
                 "Whether messages may be left after the run")
      .default_value(false);
  interface.parameter(fail_on_receive_, "fail_on_receive", "Whether taking a message fails")
      .default_value(false);
  interface.parameter(fail_on_sync_, "fail_on_sync", "Whether sync(), before each tick, fails")
      .default_value(false);
  interface.parameter(max_capacity_, "max_capacity", "Messages that it can hold")
      .default_value(SingleStage::greatest_capacity())
      .unit("messages");
}

void MockReceiver::deinitialize() {
  if (!*ignore_unreceived_entities_) {
    require_empty(stage_, "received", "ignore_unreceived_entities");
  }
}

void MockReceiver::push(Message message) {
  require_message(message);
  stage_.push(std::move(message), *max_capacity_, *this);
  announce_arrival();
}

Message MockReceiver::pop() {
  if (*fail_on_receive_) {
    fail_as_told("fail_on_receive");
  }
  Message message = stage_.pop();
  if (message) {
    announce_space();
  }
  return message;
}

void MockReceiver::sync() {
  if (*fail_on_sync_) {
    fail_as_told("fail_on_sync");
  }
}

void MockTransmitter::declare(Interface& interface) {
  interface
      .parameter(ignore_unpublished_entities_, "ignore_unpublished_entities",
                 "Whether messages may be left after the run")
      .default_value(false);
  interface.parameter(fail_on_publish_, "fail_on_publish", "Whether publishing a message fails")
      .default_value(false);
  interface.parameter(fail_on_sync_, "fail_on_sync", "Whether sync(), after each tick, fails")
      .default_value(false);
  interface.parameter(max_capacity_, "max_capacity", "Messages that it can hold")
      .default_value(SingleStage::greatest_capacity())
      .unit("messages");
}

void MockTransmitter::deinitialize() {
  if (!*ignore_unpublished_entities_) {
    require_empty(stage_, "taken over by a receiver", "ignore_unpublished_entities");
  }
}

void MockTransmitter::push(Message message) {
  require_message(message);
  if (*fail_on_publish_) {
    fail_as_told("fail_on_publish");
  }
  stage_.push(std::move(message), *max_capacity_, *this);
}

void MockTransmitter::sync() {
  if (*fail_on_sync_) {
    fail_as_told("fail_on_sync");
  }
}

}  // namespace gxr::testing
