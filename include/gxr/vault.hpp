#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/message_account.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Keeps the messages of a receiver for threads outside the application, which take them with
/// take(), take_blocking() or take_blocking_for(). A message that was taken is the thread's until
/// it drops it.
class GXR_API Vault final : public Codelet, public MessageAccount {
 public:
  /// Called after each tick that left messages waiting, on the thread of the tick, without locks.
  using Callback = std::function<void(Vault& vault)>;
  /// What `callback_address` points to.
  using CallbackFunction = void (*)(Vault& vault);

  ~Vault() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  /// Takes the messages that have come.
  void tick() override;
  /// Wakes the threads that wait in take_blocking(): nothing more will come.
  void stop() override;
  [[nodiscard]] std::vector<Discard> discards() const override;
  [[nodiscard]] std::size_t unread() const override { return waiting(); }

  // For threads outside; GXF calls these store, storeBlocking and storeBlockingFor.

  /// At most `count` messages, oldest first, of those that are there.
  [[nodiscard]] std::vector<Message> take(std::size_t count);
  /// Waits until `count` messages are there. Fewer only when the application has stopped.
  [[nodiscard]] std::vector<Message> take_blocking(std::size_t count);
  /// Waits until `count` messages are there, but not longer than `duration` ns of real time; then
  /// gives none. Fewer only when the application has stopped.
  [[nodiscard]] std::vector<Message> take_blocking_for(std::size_t count, std::int64_t duration);
  /// Messages that wait to be taken.
  [[nodiscard]] std::size_t waiting() const;
  /// Used when `enable_callback` is set, from the next tick on. Callable from any thread, at any
  /// time.
  void set_callback(Callback callback);

 private:
  [[nodiscard]] std::shared_ptr<const Callback> callback();
  [[nodiscard]] std::vector<Message> take_front(std::size_t count);  // under the lock

  Input<> source_;
  Parameter<std::uint64_t> max_waiting_count_;
  Parameter<bool> drop_waiting_;
  Parameter<std::int64_t> callback_address_;
  Parameter<bool> enable_callback_;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Message> waiting_;
  bool running_ = true;  // false: nothing more will come
  std::uint64_t received_ = 0;
  std::uint64_t dropped_ = 0;
  std::shared_ptr<const Callback> callback_;
  bool warned_ = false;  // that there is none
};

}  // namespace gxr
