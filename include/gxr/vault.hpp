#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Keeps the messages of a receiver for threads outside the application, which take them with
/// take(), take_blocking() or take_blocking_for(). A message that was taken is the thread's until
/// it drops it.
class GXR_API Vault final : public Codelet {
 public:
  /// Called after each tick that left messages waiting, on the thread of the tick, without locks.
  using Callback = std::function<void(Vault& vault)>;
  /// What `callback_address` points to.
  using CallbackFunction = void (*)(Vault& vault);

  ~Vault() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void start() override;
  void tick() override;
  void stop() override;

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
  /// Used when `enable_callback` is set; before the application runs only.
  void set_callback(Callback callback) { callback_ = std::move(callback); }

 private:
  [[nodiscard]] std::vector<Message> take_front(std::size_t count);  // under the lock

  Parameter<Handle<Receiver>> source_;
  Parameter<std::uint64_t> max_waiting_count_;
  Parameter<bool> drop_waiting_;
  Parameter<std::int64_t> callback_address_;
  Parameter<bool> enable_callback_;
  Callback callback_;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Message> waiting_;
  bool running_ = true;  // false: nothing more will come
};

}  // namespace gxr
