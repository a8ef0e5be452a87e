#include "gxr/vault.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Keeps deadlines far from the end of the steady clock.
constexpr std::int64_t kLongestWait = std::int64_t{1'000'000'000} * 3600 * 24 * 365;

}  // namespace

Vault::~Vault() = default;

void Vault::declare(Interface& interface) {
  interface.input(source_, "source", "Messages to keep");
  interface
      .parameter(max_waiting_count_, "max_waiting_count",
                 "Messages that may wait to be taken at a time")
      .minimum(1)
      .unit("messages");
  interface.parameter(drop_waiting_, "drop_waiting",
                      "What happens when as many wait already and another one comes",
                      "true: the oldest waiting one is dropped. false: the new one stays on the "
                      "receiver.");
  interface
      .parameter(callback_address_, "callback_address",
                 "Address of a function void (*)(gxr::Vault&) to call after ticks",
                 "For programs that make the application themselves; see enable_callback.")
      .default_value(0);
  interface
      .parameter(enable_callback_, "enable_callback",
                 "Call a function after each tick that left messages waiting",
                 "The function given with Vault::set_callback, else that of callback_address. While "
                 "there is none, nothing is called.")
      .default_value(false);
}

void Vault::initialize() {
  const std::lock_guard lock(mutex_);
  running_ = true;
  warned_ = false;
}

void Vault::set_callback(Callback callback) {
  auto shared = callback ? std::make_shared<const Callback>(std::move(callback)) : nullptr;
  const std::lock_guard lock(mutex_);
  callback_.swap(shared);
}

/// What to call now, or null. A program may give it at any time.
std::shared_ptr<const Vault::Callback> Vault::callback() {
  {
    const std::lock_guard lock(mutex_);
    if (callback_ == nullptr && *callback_address_ != 0) {
      callback_ = std::make_shared<const Callback>(
          reinterpret_cast<CallbackFunction>(static_cast<std::intptr_t>(*callback_address_)));
    }
    if (callback_ != nullptr || std::exchange(warned_, true)) {
      return callback_;
    }
  }
  log_warning(
      "enable_callback is set, but there is no function to call yet: give callback_address, or "
      "call Vault::set_callback");
  return nullptr;
}

void Vault::tick() {
  std::vector<Message> dropped;  // destroyed without the lock
  bool call = false;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t left = source_->size(); left > 0; --left) {
      if (waiting_.size() >= *max_waiting_count_ && !*drop_waiting_) {
        break;
      }
      Message message = source_.receive_if_any();
      if (!message) {
        break;  // a mailbox before its first one
      }
      ++received_;
      waiting_.push_back(std::move(message));
      if (waiting_.size() > *max_waiting_count_) {
        ++dropped_;
        dropped.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
    }
    call = *enable_callback_ && !waiting_.empty();
  }
  changed_.notify_all();
  if (!call) {
    return;
  }
  if (const auto function = callback()) {
    (*function)(*this);
  }
}

void Vault::stop() {
  const std::lock_guard lock(mutex_);
  running_ = false;
  changed_.notify_all();
}

void Vault::deinitialize() {
  std::deque<Message> left;
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
    left.swap(waiting_);
    changed_.notify_all();
  }
}

std::vector<Discard> Vault::discards() const {
  const std::lock_guard lock(mutex_);
  return {{dropped_, received_,
           "newer ones came while max_waiting_count (" + std::to_string(*max_waiting_count_) +
               ") waited to be taken"}};
}

std::vector<Message> Vault::take_front(std::size_t count) {
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(count, waiting_.size()));
  std::vector<Message> taken(std::make_move_iterator(waiting_.begin()),
                             std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return taken;
}

std::vector<Message> Vault::take(std::size_t count) {
  const std::lock_guard lock(mutex_);
  return take_front(count);
}

std::vector<Message> Vault::take_blocking(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running_ || waiting_.size() >= count; });
  return take_front(count);
}

std::vector<Message> Vault::take_blocking_for(std::size_t count, std::int64_t duration) {
  const auto wait = std::chrono::nanoseconds(std::clamp<std::int64_t>(duration, 0, kLongestWait));
  std::unique_lock lock(mutex_);
  const bool there = changed_.wait_until(lock, std::chrono::steady_clock::now() + wait,
                                         [&] { return !running_ || waiting_.size() >= count; });
  return there ? take_front(count) : std::vector<Message>{};
}

std::size_t Vault::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

}  // namespace gxr
