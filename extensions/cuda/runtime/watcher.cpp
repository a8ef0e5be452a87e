#include "watcher.hpp"

#include <algorithm>
#include <chrono>

#include "gxr/error.hpp"
#include "observe/own_thread.hpp"

namespace gxr::cuda {

Watcher::~Watcher() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Watcher::watch(const DeviceWork& work, const Component& component,
                    std::chrono::milliseconds timeout) {
  using std::chrono::steady_clock;
  const auto deadline =
      timeout.count() > 0 ? steady_clock::now() + timeout : steady_clock::time_point::max();
  {
    const std::lock_guard lock(mutex_);
    const bool known = std::any_of(watched_.begin(), watched_.end(), [&](const Watched& each) {
      return each.component == &component && each.work.stream == work.stream &&
             each.work.number == work.number;
    });
    if (known) {
      return;
    }
    if (!thread_.joinable()) {
      thread_ = start_thread("the thread that watches work of GPUs", [this] { run(); });
    }
    watched_.push_back({work, &component, deadline});
  }
  changed_.notify_one();
}

void Watcher::forget(const Component& component) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(watched_, [&](const Watched& each) { return each.component == &component; });
}

/// Done, or never any more, or too late.
bool Watcher::is_over(const Watched& watched) noexcept {
  try {
    return watched.work.stream->is_done(watched.work.number) ||
           std::chrono::steady_clock::now() >= watched.deadline;
  } catch (...) {
    return true;  // the component that waits asks, too, and gets the error
  }
}

void Watcher::run() {
  // Short enough to be no matter beside a frame, long enough to leave the core to others.
  constexpr std::chrono::microseconds kPause{20};
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (watched_.empty()) {
      changed_.wait(lock);
      continue;
    }
    std::erase_if(watched_, [](const Watched& each) {
      const bool over = is_over(each);
      if (over) {
        each.component->context().notify(*each.component);
      }
      return over;
    });
    changed_.wait_for(lock, kPause);
  }
}

}  // namespace gxr::cuda
