#include "schedulers/poller.hpp"

#include <algorithm>

namespace gxr {
namespace {

using namespace std::chrono_literals;

/// How long looks follow each other without a pause after something happened.
constexpr auto kSpin = 50us;
constexpr auto kShortPause = 20us;
constexpr auto kLongPause = 500us;
constexpr auto kReminder = 10ms;

}  // namespace

Poller::~Poller() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Poller::add(Polled& polled) {
  const std::lock_guard lock(mutex_);
  polled_.push_back(&polled);
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { run(); });
  }
}

void Poller::remove(const Polled& polled) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(polled_, &polled);
}

void Poller::wake() noexcept {
  if (!awake_.exchange(true, std::memory_order_acq_rel)) {
    changed_.notify_all();
  }
}

/// Call with mutex_ held.
bool Poller::look_once() {
  bool found = false;
  for (Polled* polled : polled_) {
    if (polled->has_news()) {
      polled->component().context().notify(polled->component());
      found = true;
    }
  }
  return found;
}

bool Poller::expects_news() {
  return std::ranges::any_of(polled_, [](const Polled* each) { return each->expects_news(); });
}

bool Poller::look() {
  others_.fetch_add(1, std::memory_order_acq_rel);
  const auto end = Clock::now() + kSpin;
  bool found = false;
  bool expected = true;
  while (!found && expected && Clock::now() < end) {
    const std::lock_guard lock(mutex_);
    found = look_once();
    expected = expects_news();
  }
  others_.fetch_sub(1, std::memory_order_acq_rel);
  return found;
}

void Poller::run() {
  auto last_news = Clock::now();
  auto last_reminder = last_news;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    awake_.store(false, std::memory_order_release);
    auto now = Clock::now();
    if (others_.load(std::memory_order_acquire) == 0 && look_once()) {
      last_news = now;
    }
    if (now - last_reminder >= kReminder) {
      last_reminder = now;
      for (Polled* polled : polled_) {
        polled->remind();
      }
    }
    if (!expects_news()) {
      changed_.wait_for(lock, kReminder);
      last_news = Clock::now();
      continue;
    }
    const auto quiet = now - last_news;
    if (quiet < kSpin && others_.load(std::memory_order_acquire) == 0) {
      lock.unlock();  // for those who want to add, remove or look
      std::this_thread::yield();
      lock.lock();
      continue;
    }
    changed_.wait_for(lock, std::clamp<Clock::duration>(quiet / 16, kShortPause, kLongPause));
  }
}

}  // namespace gxr
