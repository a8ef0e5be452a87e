#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pthread.h>

#include "gxr/message.hpp"
#include "system/spin_lock.hpp"

namespace gxr {

/// Free lists of message blocks and table of part names of one application.
///
/// One thread, the home thread, takes and returns blocks without atomic read-modify-write. The
/// other threads share a few shelves, each with a free list of its own. A block always returns to
/// the shelf it was made for, so a thread that makes messages for others gets them back.
class MessagePool {
 public:
  MessagePool();
  MessagePool(const MessagePool&) = delete;
  MessagePool& operator=(const MessagePool&) = delete;
  /// Precondition: outstanding() == 0.
  ~MessagePool();

  /// Makes the calling thread the home thread. Not while another thread uses the pool as its home.
  void adopt_thread() noexcept { home_.store(pthread_self(), std::memory_order_relaxed); }
  /// Leaves the pool without a home thread until adopt_thread(). Not while a thread uses the pool
  /// as its home.
  void leave_thread() noexcept { home_.store(pthread_t{}, std::memory_order_relaxed); }

  static constexpr std::uint32_t kNobody = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t kProgram = static_cast<std::uint32_t>(-2);

  /// A new empty message; `maker` is the number of the component that asks for it, or one
  /// of these.
  Message make(std::uint32_t maker = kNobody) {
    if (at_home() && free_ != nullptr) {
      detail::MessageBlock* block = free_;
      free_ = block->next;
      return activate(block, maker);
    }
    return at_home() ? make_at_home(maker) : make_elsewhere(maker);
  }
  /// Takes back a block without references whose parts are gone.
  void recycle(detail::MessageBlock* block) noexcept;
  /// The one copy of this name that lives as long as the pool.
  std::string_view intern(std::string_view name) {
    if (name.empty()) {
      return {};
    }
    if (at_home()) {
      for (const std::string_view recent : recent_names_.texts) {
        if (recent == name) {
          return recent;
        }
      }
    }
    return intern_slow(name);
  }
  /// Messages that somebody still refers to; counts all blocks, so not for hot paths.
  [[nodiscard]] std::size_t outstanding() const;
  /// The same by their makers.
  [[nodiscard]] std::map<std::uint32_t, std::size_t> outstanding_by_maker() const;
  /// Blocks made so far.
  [[nodiscard]] std::size_t blocks() const;

  /// Names that a thread used lately; messages of an application carry the same few.
  struct RecentNames {
    std::uint64_t pool = 0;  ///< whose names they are
    std::array<std::string_view, 8> texts;
    std::size_t next = 0;
  };

 private:
  static constexpr std::size_t kFirstSlab = 16;
  static constexpr std::size_t kGreatestSlab = 1024;
  static constexpr std::uint32_t kShelves = 32;  // the first is the home thread's

  /// A free list; the threads that share it take turns.
  struct alignas(64) Shelf {
    SpinLock lock;
    detail::MessageBlock* free = nullptr;                  // who holds `lock`; home: home thread
    std::atomic<detail::MessageBlock*> returned{nullptr};  // pushed by any thread
  };
  struct Slab {
    std::unique_ptr<detail::MessageBlock[]> blocks;
    std::size_t size;
  };

  [[nodiscard]] bool at_home() const noexcept {
    return pthread_equal(home_.load(std::memory_order_relaxed), pthread_self()) != 0;
  }
  static Message activate(detail::MessageBlock* block, std::uint32_t maker) noexcept {
    block->maker = maker;
    block->source.store(0, std::memory_order_relaxed);
    block->references.store(1, std::memory_order_relaxed);
    return Message(block);
  }
  std::string_view intern_slow(std::string_view name);
  std::string_view intern_shared(std::string_view name);
  Message make_at_home(std::uint32_t maker);
  Message make_elsewhere(std::uint32_t maker);
  detail::MessageBlock* refill(std::uint32_t shelf);
  detail::MessageBlock* new_slab(std::uint32_t shelf);

  std::atomic<pthread_t> home_;
  detail::MessageBlock* free_ = nullptr;  // of the first shelf
  RecentNames recent_names_;              // home thread only
  const std::uint64_t id_;                // never used twice in a process
  std::array<Shelf, kShelves> shelves_;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<Slab> slabs_;
  std::set<std::string, std::less<>> names_;  // nodes: the texts stay where they are
};

}  // namespace gxr
