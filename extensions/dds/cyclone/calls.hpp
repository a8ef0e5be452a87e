#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gxr::dds {

/// Calls of others without a lock held, of which each can be ended: after end(), none of that key
/// runs any more. Thread-safe.
template <class Key>
class Calls {
 public:
  void begin(Key key) {
    const std::lock_guard lock(mutex_);
    keys_.push_back(key);
  }

  /// Waits for a call that runs, unless the call itself asks for the end.
  void end(Key key) {
    std::unique_lock lock(mutex_);
    std::erase(keys_, key);
    changed_.wait(lock, [&] {
      return std::ranges::none_of(running_, [&](const Running& each) {
        return each.key == key && each.thread != std::this_thread::get_id();
      });
    });
  }

  /// False: it has ended, and `call` was not called.
  bool call(Key key, const std::function<void()>& call) {
    {
      const std::lock_guard lock(mutex_);
      if (std::ranges::find(keys_, key) == keys_.end()) {
        return false;
      }
      running_.push_back({key, std::this_thread::get_id()});
    }
    try {
      call();
    } catch (...) {
      leave(key);
      throw;
    }
    leave(key);
    return true;
  }

  [[nodiscard]] std::vector<Key> keys() const {
    const std::lock_guard lock(mutex_);
    return keys_;
  }

 private:
  struct Running {
    Key key;
    std::thread::id thread;
  };

  void leave(Key key) {
    {
      const std::lock_guard lock(mutex_);
      running_.erase(std::ranges::find_if(running_, [&](const Running& each) {
        return each.key == key && each.thread == std::this_thread::get_id();
      }));
    }
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Key> keys_;
  std::vector<Running> running_;
};

}  // namespace gxr::dds
