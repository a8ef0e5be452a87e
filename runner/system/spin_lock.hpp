#pragma once

#include <atomic>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gxr {

/// Tells the processor that this thread spins.
inline void spin_pause() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

/// For sections of a few nanoseconds that two threads rarely enter at once.
class SpinLock {
 public:
  void lock() noexcept {
    constexpr int kSpins = 64;
    for (int i = 0; busy_.test_and_set(std::memory_order_acquire); ++i) {
      if (i < kSpins) {
        spin_pause();
      } else {
        std::this_thread::yield();  // its holder was put to sleep
      }
    }
  }
  void unlock() noexcept { busy_.clear(std::memory_order_release); }

 private:
  std::atomic_flag busy_;
};

}  // namespace gxr
