#include "fake_stream.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <utility>

#include "gxr/error.hpp"

namespace gxr::fake {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> failed{false};
std::atomic<std::uint64_t> chance{0};

/// Now and then a pause in front of a kernel.
void pause_by_chance() {
  const std::uint64_t seed = chance.load(std::memory_order_relaxed);
  if (seed == 0) {
    return;
  }
  thread_local std::minstd_rand random(
      static_cast<unsigned>(seed + std::hash<std::thread::id>{}(std::this_thread::get_id())));
  if (random() % 8 == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 100));
  }
}

}  // namespace

bool has_failed() noexcept { return failed.load(std::memory_order_acquire); }

void set_failed(bool now) noexcept { failed.store(now, std::memory_order_release); }

void set_pauses(std::uint64_t seed) { chance.store(seed, std::memory_order_relaxed); }

bool run_kernel(const Kernel& kernel) noexcept {
  if (has_failed()) {
    return false;
  }
  pause_by_chance();
  try {
    kernel();
  } catch (...) {
    set_failed(true);
  }
  return !has_failed();
}

void require_device() {
  if (has_failed()) {
    throw Error(ErrorCode::Device, "the fake device has failed");
  }
}

void launch(CUstream_st* stream, Kernel kernel) {
  if (stream->captured != nullptr) {
    stream->captured->push_back(std::move(kernel));
  } else {
    stream->stream->push([run = std::move(kernel)] { static_cast<void>(run_kernel(run)); });
  }
}

FakeStream::FakeStream(const StreamOptions& options)
    : FakeStream(options, std::make_unique<CUstream_st>()) {}

FakeStream::FakeStream(const StreamOptions& options, std::unique_ptr<CUstream_st> handle)
    : DeviceStream(handle.get(), options.device,
                   options == StreamOptions{.device = options.device}),
      options_(options),
      own_(std::move(handle)) {
  own_->stream = this;
  thread_ = std::thread([this] { run(); });
}

FakeStream::~FakeStream() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void FakeStream::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !queue_.empty(); });
    if (queue_.empty()) {
      return;
    }
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    works_ = true;
    lock.unlock();
    work();
    lock.lock();
    works_ = false;
    changed_.notify_all();
  }
}

void FakeStream::push(std::function<void()> work) {
  require_device();
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(work));
  changed_.notify_all();
}

bool FakeStream::is_idle() {
  const std::lock_guard lock(mutex_);
  return queue_.empty() && !works_;
}

void FakeStream::record() { record_up_to(given()); }

void FakeStream::record_up_to(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (recorded_ >= number) {
    return;
  }
  recorded_ = std::max(number, given());
  queue_.emplace_back([this, done = recorded_] {
    if (!has_failed()) {
      const std::lock_guard inner(mutex_);
      set_done(done);
    }
  });
  changed_.notify_all();
}

void FakeStream::wait_for(const DeviceWork& work) {
  auto& other = static_cast<FakeStream&>(*work.stream);
  if (&other == this || other.is_known_done(work.number)) {
    return;
  }
  other.record_up_to(work.number);
  push([&other, number = work.number] {
    std::unique_lock lock(other.mutex_);
    while (!other.is_known_done(number) && !has_failed()) {
      other.changed_.wait_for(lock, 1ms);
    }
  });
}

bool FakeStream::is_done(std::uint64_t number) {
  if (is_known_done(number)) {
    return true;
  }
  require_device();
  record_up_to(number);
  return is_known_done(number);
}

void FakeStream::wait_on_host(std::uint64_t number) {
  if (is_known_done(number)) {
    return;
  }
  record_up_to(number);
  const auto patient_until = std::chrono::steady_clock::now() + 100ms;
  std::unique_lock lock(mutex_);
  while (!is_known_done(number)) {
    require_device();
    if (std::chrono::steady_clock::now() > patient_until) {
      lock.unlock();
      require_not_given_up();
      lock.lock();
    }
    changed_.wait_for(lock, 1ms);
  }
}

}  // namespace gxr::fake
