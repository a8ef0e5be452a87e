#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pthread.h>

#include "gxr/message.hpp"

namespace gxr {

/// Free list of message blocks and table of part names of one application.
///
/// One thread, the home thread, takes and returns blocks without atomic read-modify-write. Any
/// other thread may take and return blocks, too: returned ones go to a list that the home thread
/// collects when its own is empty.
class MessagePool {
 public:
  MessagePool();
  MessagePool(const MessagePool&) = delete;
  MessagePool& operator=(const MessagePool&) = delete;
  /// Precondition: outstanding() == 0.
  ~MessagePool();

  /// Makes the calling thread the home thread. Not while another thread uses the pool as its home.
  void adopt_thread() noexcept { home_ = pthread_self(); }

  /// A new empty message.
  Message make() {
    if (at_home() && free_ != nullptr) {
      detail::MessageBlock* block = free_;
      free_ = block->next;
      return activate(block);
    }
    return make_slow();
  }
  /// Takes back a block without references whose parts are gone.
  void recycle(detail::MessageBlock* block) noexcept;
  /// The one copy of this name that lives as long as the pool.
  std::string_view intern(std::string_view name) {
    if (name.empty()) {
      return {};
    }
    if (at_home()) {
      for (const std::string_view recent : recent_names_) {
        if (recent == name) {
          return recent;
        }
      }
    }
    return intern_slow(name);
  }
  /// Messages that somebody still refers to; counts all blocks, so not for hot paths.
  [[nodiscard]] std::size_t outstanding() const;

 private:
  static constexpr std::size_t kFirstSlab = 16;
  static constexpr std::size_t kGreatestSlab = 1024;

  [[nodiscard]] bool at_home() const noexcept { return pthread_equal(home_, pthread_self()) != 0; }
  static Message activate(detail::MessageBlock* block) noexcept {
    block->references.store(1, std::memory_order_relaxed);
    return Message(block);
  }
  std::string_view intern_slow(std::string_view name);
  Message make_slow();
  detail::MessageBlock* new_slab();

  pthread_t home_;
  detail::MessageBlock* free_ = nullptr;                  // home thread only
  std::atomic<detail::MessageBlock*> returned_{nullptr};  // pushed by other threads
  mutable std::mutex mutex_;                              // guards the members below
  struct Slab {
    std::unique_ptr<detail::MessageBlock[]> blocks;
    std::size_t size;
  };
  std::vector<Slab> slabs_;
  std::set<std::string, std::less<>> names_;  // nodes: the texts stay where they are

  // Names that the home thread used lately; messages of an application carry the same few.
  static constexpr std::size_t kRecentNames = 8;
  std::string_view recent_names_[kRecentNames];  // home thread only
  std::size_t next_recent_name_ = 0;
};

}  // namespace gxr
