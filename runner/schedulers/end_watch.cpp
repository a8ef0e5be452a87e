#include "schedulers/end_watch.hpp"

#include <algorithm>
#include <utility>

#include "gxr/error.hpp"
#include "observe/log.hpp"

namespace gxr {

bool EndProgress::hangs(const std::vector<DeviceWork>& unfinished, Clock::time_point now) {
  const auto is_same = [](const DeviceWork& a, const DeviceWork& b) {
    return a.stream == b.stream && a.number == b.number;
  };
  if (unfinished.empty() || !std::ranges::equal(unfinished, seen_, is_same)) {
    seen_ = unfinished;
    stands_since_ = now;
    return false;
  }
  return now - stands_since_ >= longest_;
}

void EndWatch::begin(Actions actions) noexcept {
  if (longest_.count() == 0 || has_begun_.exchange(true)) {
    return;
  }
  try {
    const std::lock_guard lock(mutex_);
    if (!ending_) {
      actions_ = std::move(actions);
      thread_ = std::thread([this] { run(); });
    }
  } catch (const std::exception& error) {
    Log::write(LogLevel::Warn, std::string("work on a GPU that does not end will not be noticed, "
                                           "since no thread can be started: ") +
                                   error.what());
  }
}

void EndWatch::end() noexcept {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    thread.swap(thread_);
  }
  changed_.notify_all();
  if (thread.joinable()) {
    thread.join();
  }
}

void EndWatch::settle() const noexcept {
  constexpr std::chrono::milliseconds kPeriod(1);
  std::function<std::vector<DeviceWork>()> unfinished;
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) {
      return;
    }
    unfinished = actions_.unfinished;
  }
  try {
    while (hang().empty() && !unfinished().empty()) {
      std::this_thread::sleep_for(kPeriod);
    }
  } catch (const Error&) {
    return;  // the device has failed
  }
}

std::string EndWatch::hang() const {
  const std::lock_guard lock(mutex_);
  return hang_;
}

void EndWatch::run() {
  // Far shorter than anybody's patience, far longer than CUDA takes to answer.
  constexpr std::chrono::milliseconds kPeriod(50);
  EndProgress progress(longest_);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kPeriod, [this] { return ending_; })) {
    lock.unlock();
    const bool is_over = look(progress);
    lock.lock();
    if (is_over) {
      return;
    }
  }
}

/// True: there is nothing more to be found out.
bool EndWatch::look(EndProgress& progress) {
  try {
    const std::vector<DeviceWork> unfinished = actions_.unfinished();
    if (!progress.hangs(unfinished, EndProgress::Clock::now())) {
      return false;
    }
    std::string why =
        "the run is to end, but work on a GPU does not: none has ended for " +
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(longest_).count()) + " s";
    if (const std::string users = actions_.users(); !users.empty()) {
      why += "; most likely that of " + users;
    }
    {
      const std::lock_guard lock(mutex_);
      hang_ = why;
    }
    for (const DeviceWork& work : unfinished) {
      actions_.give_up(work, why);
    }
  } catch (const Error&) {
    // The device has failed: whoever waits for its work is told.
  }
  return true;
}

}  // namespace gxr
