#include "control/slow_answers.hpp"

#include <utility>

#include "gxr/error.hpp"
#include "observe/own_thread.hpp"

namespace gxr {

std::optional<std::string> SlowAnswer::text() {
  const std::lock_guard lock(mutex_);
  return text_;
}

std::string SlowAnswer::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return text_.has_value(); });
  return *text_;
}

SlowAnswers::~SlowAnswers() {
  for (Work& work : works_) {
    work.thread.join();
  }
}

void SlowAnswers::forget_finished() {
  for (auto work = works_.begin(); work != works_.end();) {
    if (work->answer->text()) {
      work->thread.join();
      work = works_.erase(work);
    } else {
      ++work;
    }
  }
}

std::shared_ptr<SlowAnswer> SlowAnswers::begin(std::function<std::string()> make) {
  forget_finished();
  if (works_.size() == kMost) {
    throw Error(ErrorCode::InvalidState, "too many exchanges at a time");
  }
  auto answer = std::make_shared<SlowAnswer>();
  works_.push_back({answer, start_thread("the thread that exchanges an operator",
                                         [answer, make = std::move(make)] {
                                           std::string text = make();
                                           {
                                             const std::lock_guard lock(answer->mutex_);
                                             answer->text_ = std::move(text);
                                           }
                                           answer->changed_.notify_all();
                                         })});
  return answer;
}

}  // namespace gxr
