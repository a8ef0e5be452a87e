#include "runtime/turn_task.hpp"

#include <utility>

namespace gxr {

TickGuard::~TickGuard() = default;

void TurnTask::run(Turn& turn) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Due) {
      return;
    }
    try {
      work_(turn);
    } catch (...) {
      failure_ = std::current_exception();
    }
    state_ = State::Done;
  }
  changed_.notify_all();
}

bool TurnTask::wait(std::optional<std::chrono::nanoseconds> patience) {
  std::unique_lock lock(mutex_);
  const auto is_settled = [this] { return state_ != State::Due; };
  if (!patience) {
    changed_.wait(lock, is_settled);
  } else if (!changed_.wait_for(lock, *patience, is_settled)) {
    state_ = State::Withdrawn;
  }
  if (failure_) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  return state_ == State::Done;
}

void TurnTask::cancel() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Due) {
      state_ = State::Withdrawn;
    }
  }
  changed_.notify_all();
}

}  // namespace gxr
