#include "commands/run_progress.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include <unistd.h>

#include "commands/terminal.hpp"
#include "executors/application_run.hpp"
#include "observe/call_site.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"
#include "observe/progress_line.hpp"
#include "system/nanoseconds.hpp"

namespace gxr::commands {
namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000;
constexpr std::int64_t kOneMinute = 60 * kOneSecond;
/// Of the line on the terminal.
constexpr std::int64_t kRenewal = kOneSecond / 5;
/// Between two looks whether all entities have started.
constexpr std::int64_t kReadiness = kOneSecond / 50;
constexpr std::chrono::milliseconds kStatusPatience{100};

/// "tick of entity 'camera'", of the component that holds a scheduler's thread.
std::string first_call() {
  const std::vector<RunningCall> calls = running_calls();
  return calls.empty() ? std::string()
                       : calls.front().text.substr(0, calls.front().text.find(", component"));
}

bool is_unknown(const RunStatus& status) {
  return !status.entities.empty() && status.entities.front().state == EntityState::Unknown;
}

/// The shell shows something else there meanwhile if this process runs in the background.
bool is_in_foreground() { return ::tcgetpgrp(STDERR_FILENO) == ::getpgrp(); }

}  // namespace

RunSampler::RunSampler(const ApplicationRun& run) : run_(run), begin_(steady_now()) {}

const ProgressFacts& RunSampler::look() {
  const std::int64_t now = steady_now();
  facts_.elapsed_ns = now - begin_;
  facts_.ticks = run_.ticks();
  counts_.emplace_back(now, facts_.ticks);
  while (counts_.size() > 2 && counts_[1].first <= now - kOneSecond) {
    counts_.pop_front();
  }
  const auto [since, ticks] = counts_.size() > 1 ? counts_.front() : std::pair(begin_, 0UL);
  const auto seconds = static_cast<double>(now - since) * 1e-9;
  facts_.rate =
      seconds > 0 && facts_.ticks > ticks ? static_cast<double>(facts_.ticks - ticks) / seconds : 0;
  if (now >= next_question_) {
    ask(now);
  }
  return facts_;
}

void RunSampler::ask(std::int64_t now) {
  if (std::optional<RunStatus> status = run_.status(kStatusPatience)) {
    const double seconds = static_cast<double>(now - last_time_) * 1e-9;
    facts_.slowest = is_unknown(*status) ? first_call() : slowest_stage(last_, *status, seconds);
    // A scheduler's thread that is in a call does not say what the queues hold.
    facts_.dropped = std::max(facts_.dropped, dropped_in(*status));
    facts_.done = share_done(*status);
    last_ = *std::move(status);
    last_time_ = now;
  }
  next_question_ = now + std::max(kOneSecond, 100 * (steady_now() - now));
}

void PeriodicThread::begin(const std::string& what, std::function<std::int64_t()> turn) {
  const std::lock_guard lock(mutex_);
  if (!ending_ && !thread_.joinable()) {
    thread_ = start_thread(what, [this, turn = std::move(turn)] { run(turn); });
  }
}

void PeriodicThread::run(const std::function<std::int64_t()>& turn) {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    lock.unlock();
    std::int64_t pause = kOneSecond;
    try {
      pause = turn();
    } catch (const std::exception&) {  // there is no memory; the next turn tries again
    }
    lock.lock();
    changed_.wait_for(lock, std::chrono::nanoseconds(pause), [this] { return ending_; });
  }
}

void PeriodicThread::end() {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    thread.swap(thread_);
  }
  changed_.notify_one();
  if (thread.joinable()) {
    thread.join();
  }
}

RunProgress::Places RunProgress::usual_places() {
  const bool has_file = log_file_descriptor() >= 0;
  const bool terminal = Terminal::moves_cursor(STDERR_FILENO);
  return {terminal && !Log::replaces_text(), has_file || !terminal || Log::replaces_text()};
}

void RunProgress::begin() {
  if (places_.terminal || places_.log) {
    thread_.begin("the thread that shows progress", [this] { return turn(); });
  }
}

void RunProgress::end() {
  thread_.end();
  if (places_.terminal) {
    ProgressLine::end();
  }
}

std::int64_t RunProgress::turn() {
  const std::int64_t now = steady_now();
  if (next_line_ == 0) {
    next_line_ = now + kOneMinute - kLong;
  }
  if (places_.log && now >= next_line_) {
    next_line_ += kOneMinute;
    Log::write(LogLevel::Info, "running for " + progress_words(sampler_.look(), true));
  }
  if (places_.terminal) {
    draw();
    return kRenewal;
  }
  return std::max(next_line_ - steady_now(), std::int64_t{0});
}

void RunProgress::draw() {
  if (!is_in_foreground()) {
    ProgressLine::end();
    return;
  }
  const std::size_t width = Terminal::width_of(STDERR_FILENO);
  ProgressLine::show(progress_line(sampler_.look(), width > 1 ? width - 1 : 0));
}

RunService::RunService(const ApplicationRun& run) : run_(run), sampler_(run) {
  if (!has_service_manager()) {
    return;
  }
  try {
    manager_.emplace();
    const auto longest =
        std::chrono::duration_cast<std::chrono::nanoseconds>(manager_->watchdog()).count();
    watchdog_ = longest / 2;
    ticks_.emplace(longest);
    thread_.begin("the thread that tells the service manager", [this] { return turn(); });
  } catch (const std::exception& error) {
    Log::write(LogLevel::Warn, std::string("the service manager is told nothing: ") + error.what());
  }
}

void RunService::tell_end() noexcept {
  const std::lock_guard lock(mutex_);
  if (manager_ && !std::exchange(is_ending_, true)) {
    manager_->tell("STOPPING=1");
  }
}

bool RunService::tell(const std::string& state) {
  const std::lock_guard lock(mutex_);
  return !is_ending_ && manager_->tell(state);
}

void RunService::end() noexcept {
  tell_end();
  thread_.end();
}

std::int64_t RunService::turn() {
  if (!is_ready_ && !(is_ready_ = tell_ready())) {
    return kReadiness;
  }
  const std::int64_t now = steady_now();
  if (watchdog_ > 0 && now >= next_life_) {
    tell_alive(now);
  }
  if (now >= next_status_) {
    tell_status();
    next_status_ = now + kOneSecond;
  }
  const std::int64_t next = watchdog_ > 0 ? std::min(next_life_, next_status_) : next_status_;
  return std::max(next - steady_now(), std::int64_t{0});
}

bool RunService::tell_ready() {
  const std::optional<RunStatus> status = run_.status(kStatusPatience);
  const bool have_started =
      status && std::ranges::none_of(status->entities, [](const EntityStatus& entity) {
        return entity.state == EntityState::NotStarted ||
               (entity.state == EntityState::Unknown && entity.ticks == 0);
      });
  return have_started && tell("READY=1");
}

void RunService::tell_status() {
  std::string status = progress_words(sampler_.look(), false);
  if (status != status_ && tell("STATUS=" + status)) {
    status_ = std::move(status);
  }
}

/// Not when the run ends: the service manager does not wait for it then.
void RunService::tell_alive(std::int64_t now) {
  const std::optional<RunStatus> status = run_.status(kStatusPatience);
  if (!status || !ticks_->hangs(*status, now)) {
    static_cast<void>(tell("WATCHDOG=1"));
  }
  next_life_ = now + watchdog_;
}

}  // namespace gxr::commands
