#include "commands/run_watch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "executors/application_run.hpp"
#include "observe/call_site.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"
#include "observe/status_text.hpp"
#include "system/nanoseconds.hpp"

namespace gxr::commands {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
/// A little less than is promised, so that it is kept on a busy machine, too.
constexpr std::int64_t kFirstWords = kSecond * 19 / 10;
constexpr std::int64_t kFurtherWords = 10 * kSecond;
/// How often it is looked which call is another one.
constexpr std::chrono::milliseconds kLooks{100};
/// A scheduler that is in no call answers much sooner.
constexpr std::chrono::milliseconds kPatience{500};
/// Several threads may be in calls; more lines than these help nobody.
constexpr std::size_t kMostCalls = 20;

/// "2 s", below a second "0.3 s".
std::string seconds(std::int64_t ns) {
  const double s = static_cast<double>(ns) / static_cast<double>(kSecond);
  return s < 0.95 ? fmt::format("{:.1f} s", s) : fmt::format("{:.0f} s", s);
}

/// The lock is free as long as this lives.
class Unlocked {
 public:
  explicit Unlocked(std::unique_lock<std::mutex>& lock) : lock_(lock) { lock_.unlock(); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() { lock_.lock(); }

 private:
  std::unique_lock<std::mutex>& lock_;
};

std::string count_text(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Queues that hold nothing explain nothing.
void write_entity(const EntityStatus& entity) {
  const std::string state = state_text(entity);
  Log::answer(LogLevel::Info, fmt::format("status: entity '{}': {}{}{}", entity.entity,
                                          count_text(entity.ticks, "tick", "ticks"),
                                          state.empty() ? "" : "; ", state));
  for (const QueueStatus& queue : entity.queues) {
    if (queue.messages.value_or(0) > 0) {
      Log::answer(LogLevel::Info,
                  fmt::format("status: queue '{}' holds {}", queue.queue, content_text(queue)));
    }
  }
}

}  // namespace

RunWatch::RunWatch(ApplicationRun& run, std::string hint)
    : run_(run), hint_(std::move(hint)), begin_(steady_now()) {}

RunWatch::~RunWatch() { end(); }

void RunWatch::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void RunWatch::ask_for_status() {
  const std::lock_guard lock(mutex_);
  status_asked_ = true;
  wake();
}

void RunWatch::reopen_log() {
  const std::lock_guard lock(mutex_);
  reopen_asked_ = true;
  wake();
}

void RunWatch::say(std::string text) {
  const std::lock_guard lock(mutex_);
  errors_.push_back(std::move(text));
  wake();
}

void RunWatch::wait_for_end() {
  const std::lock_guard lock(mutex_);
  interrupted_ = steady_now();
  next_words_ = interrupted_ + kFirstWords;
  wake();
}

/// Call with mutex_ held. Most runs never need the thread.
void RunWatch::wake() {
  if (!thread_.joinable() && !ending_) {
    thread_ = start_thread("the thread that watches the run", [this] { this->run(); });
  }
  changed_.notify_one();
}

bool RunWatch::has_job() const noexcept {
  return ending_ || status_asked_ || reopen_asked_ || !errors_.empty();
}

void RunWatch::run() {
  Lock lock(mutex_);
  while (!ending_) {
    try {
      run_once(lock);
    } catch (const std::exception&) {  // there is no memory for words
      changed_.wait_for(lock, kLooks);
    }
  }
}

void RunWatch::run_once(Lock& lock) {
  do_jobs(lock);
  if (interrupted_ == 0) {
    changed_.wait(lock, [this] { return has_job() || interrupted_ != 0; });
  } else {
    look_at_calls();
    if (steady_now() >= next_words_) {
      tell_who_is_waited_for(lock);
    }
    changed_.wait_for(lock, kLooks, [this] { return has_job(); });
  }
  if (ending_) {
    do_jobs(lock);
  }
}

/// The lock is free while the log is written.
void RunWatch::do_jobs(Lock& lock) {
  const std::vector<std::string> errors = std::exchange(errors_, {});
  const bool reopen = std::exchange(reopen_asked_, false);
  const bool status = std::exchange(status_asked_, false);
  if (errors.empty() && !reopen && !status) {
    return;
  }
  const Unlocked unlocked(lock);
  for (const std::string& text : errors) {
    Log::write(LogLevel::Error, text);
  }
  if (reopen) {
    Log::reopen_file();
  }
  if (status) {
    write_status();
  }
}

/// Call with mutex_ held, when the run was asked to end.
void RunWatch::look_at_calls() {
  std::map<const CallSiteSlot*, SeenCall> now;
  for (RunningCall& call : running_calls()) {
    const auto before = calls_.find(call.thread);
    const bool same = before != calls_.end() && before->second.text == call.text;
    const std::int64_t since = same ? before->second.since : looked_ ? steady_now() : interrupted_;
    now[call.thread] = {std::move(call.text), since};
  }
  calls_ = std::move(now);
  looked_ = true;
}

void RunWatch::tell_who_is_waited_for(Lock& lock) {
  const std::int64_t now = steady_now();
  while (next_words_ <= now) {
    next_words_ += kFurtherWords;
  }
  std::vector<std::string> lines;
  for (const auto& [thread, call] : calls_) {
    if (lines.size() < kMostCalls) {
      lines.push_back(fmt::format("still waiting for {}, for {}; {}", call.text,
                                  seconds(now - call.since), hint_));
    }
  }
  if (calls_.size() > kMostCalls) {
    lines.push_back(fmt::format("and for {} calls more", calls_.size() - kMostCalls));
  }
  if (lines.empty()) {
    lines.push_back(
        fmt::format("still waiting for the run to end, for {}, in no call of a component; {}",
                    seconds(now - interrupted_), hint_));
  }
  const Unlocked unlocked(lock);
  for (const std::string& line : lines) {
    Log::answer(LogLevel::Warn, line);
  }
}

std::string RunWatch::what_is_left() {
  const std::lock_guard lock(mutex_);
  look_at_calls();
  std::string text;
  std::size_t told = 0;
  for (const auto& [thread, call] : calls_) {
    if (told++ < kMostCalls) {
      text += fmt::format("{}{} did not return for {}", text.empty() ? "" : "; ", call.text,
                          seconds(steady_now() - call.since));
    }
  }
  if (told > kMostCalls) {
    text += fmt::format("; {} calls more", told - kMostCalls);
  }
  return text.empty() ? "the run had not ended, in no call of a component" : text;
}

void RunWatch::write_status() {
  const std::string elapsed = elapsed_text(steady_now() - begin_);
  const std::vector<RunningCall> calls = running_calls();
  if (const auto status = run_.status(kPatience)) {
    Log::answer(LogLevel::Info,
                fmt::format("status after {}: {}, {}, {}", elapsed, status->executor,
                            count_text(status->entities.size(), "entity", "entities"),
                            count_text(ticks_of(*status), "tick", "ticks")));
    for (const EntityStatus& entity : status->entities) {
      write_entity(entity);
    }
  } else {
    Log::answer(LogLevel::Info, "status after " + elapsed + ": " +
                                    (run_.has_run() ? "the components are being stopped"
                                                    : "the components are being made"));
  }
  for (const RunningCall& call : calls) {
    Log::answer(LogLevel::Info, "status: runs " + call.text);
  }
}

}  // namespace gxr::commands
