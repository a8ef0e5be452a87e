#include "image/encoders.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace gxr::image {

Encoders::Encoders(std::size_t threads) : most_threads_(std::max<std::size_t>(threads, 1)) {}

Encoders::~Encoders() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void Encoders::throw_failure(Lock&) {
  if (failure_ && !thrown_) {
    thrown_ = true;
    std::rethrow_exception(failure_);
  }
}

/// For the task that is about to wait. A thread that the system does not give is one less; a thread
/// with the policy `deadline`, for example, may make none.
void Encoders::start_thread_if_useful() {
  if (waiting_ < idle_ || threads_.size() == most_threads_) {
    return;
  }
  try {
    threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    return;
  }
}

void Encoders::add(std::unique_ptr<EncoderTask> task) {
  Lock lock(mutex_);
  room_.wait(lock, [this] { return entries_.size() < capacity() || failure_; });
  throw_failure(lock);
  start_thread_if_useful();
  entries_.push_back({std::move(task)});
  ++waiting_;
  if (threads_.empty()) {
    encode(entries_.back(), lock);
    finish_encoded(lock);
  }
  work_.notify_one();
}

void Encoders::wait() {
  Lock lock(mutex_);
  room_.wait(lock, [this] { return entries_.empty(); });
  throw_failure(lock);
}

std::uint64_t Encoders::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

Encoders::Entry* Encoders::next_waiting() {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [](const Entry& entry) { return entry.state == State::Waiting; });
  return found == entries_.end() ? nullptr : &*found;
}

void Encoders::run() {
  Lock lock(mutex_);
  while (true) {
    ++idle_;
    work_.wait(lock, [this] { return ending_ || waiting_ > 0; });
    --idle_;
    if (ending_) {
      return;
    }
    encode(*next_waiting(), lock);
    finish_encoded(lock);
  }
}

/// Entries do not move while others are added behind or taken from the front.
void Encoders::encode(Entry& entry, Lock& lock) {
  entry.state = State::Busy;
  --waiting_;
  const bool given_up = failure_ != nullptr;
  lock.unlock();
  try {
    if (!given_up) {
      entry.task->encode();
    }
  } catch (...) {
    entry.failure = std::current_exception();
  }
  lock.lock();
  entry.state = State::Encoded;
}

void Encoders::finish_encoded(Lock& lock) {
  if (finishing_) {
    return;  // that thread looks at the first entry again
  }
  finishing_ = true;
  while (!entries_.empty() && entries_.front().state == State::Encoded && !ending_) {
    finish(entries_.front(), lock);
    entries_.pop_front();
    room_.notify_all();
  }
  finishing_ = false;
}

void Encoders::finish(Entry& entry, Lock& lock) {
  const bool given_up = failure_ != nullptr;
  lock.unlock();
  try {
    if (!given_up && !entry.failure) {
      entry.task->finish();
    }
  } catch (...) {
    entry.failure = std::current_exception();
  }
  entry.task.reset();
  lock.lock();
  if (!given_up) {
    failure_ = entry.failure;
    finished_ += entry.failure ? 0 : 1;
  }
}

}  // namespace gxr::image
