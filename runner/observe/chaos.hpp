#pragma once

#ifdef GXR_CHAOS
#include <chrono>
#include <functional>
#include <random>
#include <thread>
#endif

namespace gxr {

/// Stands between the halves of a signal to another thread or to a GPU. In a build with GXR_CHAOS
/// it takes a random time now and then, so that what may happen in between does happen; see
/// docs/architecture.md. Else it is nothing.
inline void chaos() {
#ifdef GXR_CHAOS
  thread_local std::minstd_rand random(
      static_cast<unsigned>(std::hash<std::thread::id>{}(std::this_thread::get_id())));
  if (random() % 4 == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
  }
#endif
}

}  // namespace gxr
