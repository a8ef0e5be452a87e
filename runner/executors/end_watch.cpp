#include "executors/end_watch.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"

namespace gxr {
namespace {

/// Far shorter than a useful limit, far longer than CUDA takes to answer.
constexpr std::chrono::milliseconds kPeriod(20);
/// So long a thread may take to leave a call of CUDA that returns at all.
constexpr std::chrono::milliseconds kLeave(500);
/// A thread that waits for the processor answers late, too.
constexpr std::chrono::nanoseconds kShortestSilence = std::chrono::milliseconds(500);
/// Between two looks more time does not count.
constexpr std::chrono::nanoseconds kLongestStep = std::chrono::milliseconds(100);
/// Calls that fail one after the other, for a second, tell that the device has failed.
constexpr int kMostFailures = 50;

bool is_loop(const UnfinishedWork& work) { return work.of == UnfinishedWork::Of::Loop; }

std::string seconds(std::chrono::nanoseconds time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

/// Of what was unfinished once, has all ended that was given until then?
class Target {
 public:
  explicit Target(const UnfinishedWork& work) : work_(work) {
    if (work.of == UnfinishedWork::Of::Stream) {
      work_.work.number = work.work.stream->mark().number;
    }
  }

  [[nodiscard]] bool is_reached(const std::vector<UnfinishedWork>& unfinished) const {
    return std::ranges::none_of(unfinished, [this](const UnfinishedWork& now) {
      if (now.of != work_.of || now.device != work_.device ||
          now.work.stream != work_.work.stream) {
        return false;
      }
      // The first mark behind may be one that was set before.
      return work_.of == UnfinishedWork::Of::Stream
                 ? !work_.work.stream->is_known_done(work_.work.number)
                 : now.number <= work_.number + 1;
    });
  }

 private:
  UnfinishedWork work_;
};

}  // namespace

bool EndProgress::hangs(const std::vector<UnfinishedWork>& unfinished, Clock::time_point now) {
  if (std::ranges::all_of(unfinished, is_loop) || unfinished != seen_) {
    seen_ = unfinished;
    stands_since_ = now;
    return false;
  }
  return now - stands_since_ >= longest_;
}

void EndWatch::set_abandon(Abandon abandon, std::chrono::nanoseconds grace) {
  abandon_ = std::move(abandon);
  grace_ = grace;
}

void EndWatch::begin(Gpus gpus) noexcept {
  const std::lock_guard lock(mutex_);
  if (longest_.count() == 0 || std::exchange(has_begun_, true) || has_ended_) {
    return;
  }
  try {
    gpus_ = std::move(gpus);
    asker_ = start_thread(
        "the thread that asks GPUs for unfinished work",
        [answers = answers_, unfinished = gpus_.unfinished] { ask(answers, unfinished); });
    judge_ = start_thread("the thread that limits the end of a run", [this] { judge(); });
    gpus_.hold_frees();
  } catch (const std::exception& error) {
    Log::write(LogLevel::Warn,
               std::string("GPU work that does not end will not be noticed: ") + error.what());
  }
}

void EndWatch::ask(
    const std::shared_ptr<Answers>& answers,
    const std::function<std::vector<UnfinishedWork>(UnfinishedWork::Scope)>& unfinished) noexcept {
  int failures = 0;  // one after the other
  std::unique_lock lock(answers->mutex);
  while (!answers->ending && failures < kMostFailures) {
    const UnfinishedWork::Scope scope = answers->scope;
    lock.unlock();
    std::vector<UnfinishedWork> found;
    try {
      found = unfinished(scope);
      failures = 0;
    } catch (const std::exception&) {
      ++failures;
    }
    lock.lock();
    if (failures == 0) {
      answers->unfinished.swap(found);
    }
    // When the device has failed, whoever waits for its work is told.
    answers->over = answers->over || failures == kMostFailures;
    ++answers->count;
    answers->changed.notify_all();
    answers->changed.wait_for(lock, kPeriod, [&] { return answers->ending; });
  }
  answers->has_left = true;
  answers->changed.notify_all();
}

void EndWatch::judge() noexcept {
  try {
    judge_until_end();
  } catch (const std::exception&) {  // there is no memory
    const std::lock_guard lock(answers_->mutex);
    answers_->over = true;
    answers_->changed.notify_all();
  }
}

void EndWatch::judge_until_end() {
  EndProgress progress(longest_);
  const std::chrono::nanoseconds longest_silence = std::max(longest_, kShortestSilence);
  Answers& answers = *answers_;
  std::unique_lock lock(answers.mutex);
  // A time in which nothing of the process could happen does not count: it was stopped, say.
  EndProgress::Clock::time_point looked = EndProgress::Clock::now();
  EndProgress::Clock::time_point now = looked;
  EndProgress::Clock::time_point answered = now;
  std::uint64_t count = 0;
  while (!answers.ending && !answers.over && answers.hang.empty()) {
    const EndProgress::Clock::time_point before = std::exchange(looked, EndProgress::Clock::now());
    now += std::min<std::chrono::nanoseconds>(looked - before, kLongestStep);
    const bool is_new = std::exchange(count, answers.count) != answers.count;
    answered = is_new ? now : answered;
    if (now - answered >= longest_silence) {
      give_up(lock, "CUDA has not answered for " + seconds(longest_silence));
    } else if (is_new && progress.hangs(answers.unfinished, now)) {
      give_up(lock, "none has made progress for " + seconds(longest_));
    }
    answers.changed.wait_for(lock, kPeriod);
  }
  const bool is_late = !answers.hang.empty() && abandon_ != nullptr &&
                       !answers.changed.wait_for(lock, grace_, [&] { return answers.ending; });
  if (is_late) {
    const std::string why = answers.hang;
    lock.unlock();
    abandon_(why);
  }
}

/// `lock` is open while others are told.
void EndWatch::give_up(std::unique_lock<std::mutex>& lock, const std::string& how) {
  const std::vector<UnfinishedWork> unfinished = answers_->unfinished;
  lock.unlock();
  std::string why = "the run is to end, but work on a GPU does not end: " + how;
  if (const std::string users = gpus_.users(); !users.empty()) {
    why += "; most likely that of " + users;
  }
  for (const UnfinishedWork& work : unfinished) {
    if (!is_loop(work)) {
      gpus_.give_up(work, why);
    }
  }
  lock.lock();
  answers_->hang = why;
  answers_->changed.notify_all();
}

void EndWatch::settle(UnfinishedWork::Scope scope) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!judge_.joinable()) {
      return;
    }
  }
  Answers& answers = *answers_;
  std::unique_lock lock(answers.mutex);
  const auto is_over = [&] { return answers.over || answers.ending || !answers.hang.empty(); };
  answers.scope = scope;
  // The answer that is on its way may be older than this call.
  const std::uint64_t next = answers.count + 2;
  answers.changed.wait(lock, [&] { return is_over() || answers.count >= next; });
  try {
    std::vector<Target> targets;
    for (const UnfinishedWork& work : answers.unfinished) {
      if (!is_loop(work)) {
        targets.emplace_back(work);
      }
    }
    answers.changed.wait(lock, [&] {
      return is_over() || std::ranges::all_of(targets, [&](const Target& target) {
               return target.is_reached(answers.unfinished);
             });
    });
  } catch (const std::bad_alloc&) {
    return;
  }
}

void EndWatch::end() noexcept {
  std::thread asker;
  std::thread judge;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    asker.swap(asker_);
    judge.swap(judge_);
  }
  {
    std::unique_lock lock(answers_->mutex);
    answers_->ending = true;
    answers_->changed.notify_all();
    if (asker.joinable() &&
        !answers_->changed.wait_for(lock, kLeave, [this] { return answers_->has_left; })) {
      asker.detach();  // it is inside CUDA
    }
  }
  if (asker.joinable()) {
    asker.join();
  }
  if (judge.joinable()) {
    judge.join();
    let_frees_go();
  }
}

/// Behind a hang that asks CUDA, which may not answer.
void EndWatch::let_frees_go() noexcept {
  if (hang().empty()) {
    gpus_.let_frees_go();
    return;
  }
  try {
    std::thread(gpus_.let_frees_go).detach();
  } catch (const std::exception&) {  // no thread: what is held stays held
    return;
  }
}

std::string EndWatch::hang() const {
  const std::lock_guard lock(answers_->mutex);
  return answers_->hang;
}

}  // namespace gxr
