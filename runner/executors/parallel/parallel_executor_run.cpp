// What the thread of run() does: it starts the workers, keeps the time, and judges the end.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "executors/entity_status.hpp"
#include "executors/parallel/parallel_executor.hpp"
#include "executors/rest_watch.hpp"
#include "executors/run_conclusion.hpp"
#include "gxr/error.hpp"
#include "observe/own_thread.hpp"
#include "sdk/clock_waits.hpp"
#include "sdk/engine_access.hpp"
#include "system/nanoseconds.hpp"
#include "system/spin_lock.hpp"

namespace gxr {
namespace {

/// Real ns between two looks whether all entities have started.
constexpr std::int64_t kStartPeriod = 10'000'000;

/// What is on the way to the receivers, which any thread can see.
void tell_inboxes(EntityStatus& status, const ParallelJob& job) {
  for (std::size_t i = 0; i < job.inbox.size() && i < status.queues.size(); ++i) {
    if (const Inbox* const inbox = job.inbox[i].inbox; inbox != nullptr) {
      status.queues[i].messages = inbox->total();
      status.queues[i].capacity = inbox->capacity();
    }
  }
}

}  // namespace

void ParallelExecutor::run(Report& report) {
  const std::int64_t begin = clock_.timestamp();
  const std::optional<std::int64_t>& duration = shape_.limits.max_duration_ms;
  if (duration) {
    // A clock that jumps has nothing to do with real time.
    const bool in_real_time = shape_.limits.duration_in_real_time && clock_runs_;
    duration_ = ms_to_ns(static_cast<double>(*duration));
    (in_real_time ? real_end_ : end_) =
        saturated_sum(in_real_time ? steady_now() : begin, duration_);
  }
  if (options_.trace != nullptr) {
    add_tracks(*options_.trace);
  }
  counter_ = CycleCounter();
  if (!lock_memory_if_said(report)) {
    status_.end();
    end(report);
    return;
  }
  start_workers();
  std::optional<AppliedThreadSettings> settings;
  keep_time_as_said(settings);
  EngineAccess::set_listener(clock_, this);
  keep_time(report);
  status_.end();
  EngineAccess::set_listener(clock_, nullptr);
  if (report.reason != EndReason::Completed) {
    instance_.announce_early_end();
  }
  join_workers();
  end(report);
}

/// False when the kernel refuses, which is in the report then.
bool ParallelExecutor::lock_memory_if_said(Report& report) {
  if (!shape_.timing.locks_memory) {
    return true;
  }
  try {
    guarded(instance_.site(*shape_.timing.thread.declared_by, "thread"), lock_memory);
    return true;
  } catch (const ComponentFailure& refused) {
    report.reason = EndReason::Failed;
    report.failures.push_back(refused.failure());
    return false;
  }
}

/// This thread, which keeps the time, is like the workers. Behind their start: threads inherit
/// cores and policy, and those of pinned entities have their own.
void ParallelExecutor::keep_time_as_said(std::optional<AppliedThreadSettings>& settings) {
  if (failed_.load()) {
    return;  // what the kernel refuses to a worker, it refuses here, too
  }
  ThreadSettings own = shape_.timing.thread;
  if (own.policy && own.policy->kind == ThreadPolicy::Deadline) {
    own.policy.reset();  // a share of the time that the workers alone are to have
  }
  try {
    settings.emplace(own);
  } catch (...) {
    fail(own.declared_by != nullptr ? instance_.site(*own.declared_by, "thread")
                                    : CallSite{"thread", {}, {}, {}});
  }
}

/// In the order in which they are to be shown.
void ParallelExecutor::add_tracks(TraceEvents& trace) {
  trace.this_thread("scheduler");
  const std::size_t common = queues_.workers() - shape_.pinned.size();
  for (std::size_t i = 0; i < common; ++i) {
    tracks_.push_back(&trace.add_track("worker " + std::to_string(i + 1)));
  }
  for (const EntityId entity : shape_.pinned) {
    tracks_.push_back(&trace.add_track("thread of " + instance_.graph().entities[entity].name));
  }
}

void ParallelExecutor::start_workers() {
  // Before the workers, so that a single one takes them in this order.
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    queues_.push(i, jobs_[i].worker);
  }
  threads_.reserve(queues_.workers());
  try {
    for (std::uint32_t i = 0; i < queues_.workers(); ++i) {
      threads_.push_back(start_thread(
          "thread " + std::to_string(i + 1) + " of " + std::to_string(queues_.workers()),
          [this, i] { work(i); }));
    }
  } catch (...) {
    queues_.stop();
    may_work_.count_down();
    join_workers();
    throw;
  }
  set_up_.wait();
  may_work_.count_down();
}

std::uint32_t ParallelExecutor::threads_to_set_up() const noexcept {
  const auto begin = shape_.threads.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(
                               std::min<std::size_t>(shape_.threads.size(), queues_.workers()));
  return static_cast<std::uint32_t>(
      std::count_if(begin, end, [](const ThreadSettings& thread) { return thread.can_fail(); }));
}

/// Ends what the workers do. Codelets that sleep on the clock do not sleep on.
void ParallelExecutor::join_workers() {
  queues_.stop();
  clock_.cut_sleeps(true);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return finished_workers_ == threads_.size(); });
  }
  clock_.cut_sleeps(false);
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void ParallelExecutor::keep_time(Report& report) {
  bool rested = false;  // other ranks were told
  for (;;) {
    if (failed_.load()) {
      report.reason = EndReason::Failed;
      return;
    }
    if (interrupted_.load()) {
      report.reason = EndReason::Interrupted;
      report.by_signal = interrupted_by_signal_.load();
      return;
    }
    if (status_.is_asked()) {
      status_.go_on([this](EntityStatus& entity, std::size_t index) {
        tell_status(entity, static_cast<std::uint32_t>(index));
      });
    }
    const std::int64_t now = clock_.timestamp();
    if (now > end_ || steady_now() > real_end_) {
      report.reason = EndReason::Duration;
      return;
    }
    if (std::exchange(rested, false)) {
      options_.rest->begin_work();  // what is due now may work
    }
    release_due(now);
    const std::uint64_t events = options_.rest != nullptr ? options_.rest->events() : 0;
    const bool at_rest = queues_.is_at_rest();
    const std::int64_t earliest = earliest_timer();
    std::int64_t patience = kForever;
    if (at_rest && (earliest == kForever || has_only_polls())) {
      if (poll_all()) {
        continue;
      }
      patience = patience_left();
      if (options_.rest != nullptr && waits_for_ranks()) {
        patience = deadlock_patience_left();
        if (patience <= 0) {
          options_.rest->rest(events);
          rested = true;
          patience = kForever;
        }
      }
      if (patience <= 0) {
        if (stop_finished(now)) {
          continue;
        }
        return;
      }
    }
    if (!status_.is_asked()) {
      wait(std::min(earliest, saturated_sum(end_, 1)), patience, at_rest);
    }
  }
}

/// Stops those who finished and might have gone on: nothing is left that could make them. True when
/// what they published is to be looked at.
bool ParallelExecutor::stop_finished(std::int64_t now) {
  bool any = false;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    ParallelJob& job = jobs_[i];
    State idle = State::Idle;
    if (!job.state.compare_exchange_strong(idle, State::Running)) {
      return true;  // something came from outside
    }
    if (job.rest == Rest::Finished && job.entity->started) {
      any = true;
      stop_at_rest(job, now);
    }
    State running = State::Running;
    if (!job.state.compare_exchange_strong(running, State::Idle)) {
      job.state.exchange(State::Queued);
      enqueue(nullptr, i);
    }
  }
  if (any) {
    polled_at_ = UINT64_MAX;  // stop() may have changed what polled terms say
  }
  return any;
}

void ParallelExecutor::stop_at_rest(ParallelJob& job, std::int64_t now) {
  try {
    stop(nullptr, job, now);
  } catch (...) {
    fail(instance_.site(*job.entity->codelets.front(), "stop"));
  }
}

/// Nothing is queued, nobody works, and no time is awaited: how long to wait for something from
/// outside, real ns. 0: the run has ended.
std::int64_t ParallelExecutor::patience_left() {
  if (finished_.load() == jobs_.size()) {
    return 0;
  }
  if (outside_.load() > 0 || !shape_.limits.stop_on_deadlock || shape_.limits.patience_ms < 0) {
    return kForever;
  }
  return deadlock_patience_left();
}

/// The same of what nothing from outside can end.
std::int64_t ParallelExecutor::deadlock_patience_left() {
  const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
  if (!resting_since_ || activity != activity_at_rest_) {
    resting_since_ = steady_now();
    activity_at_rest_ = activity;
  }
  return saturated_sum(*resting_since_, ms_to_ns(shape_.limits.patience_ms)) - steady_now();
}

/// At rest: can only other ranks give it something to do?
bool ParallelExecutor::waits_for_ranks() const noexcept {
  const std::uint32_t ends = ends_.load();
  return ends > 0 && outside_.load() == ends && shape_.limits.stop_on_deadlock &&
         shape_.limits.patience_ms >= 0;
}

std::int64_t ParallelExecutor::earliest_timer() {
  const std::lock_guard lock(timers_mutex_);
  return timers_.earliest();
}

/// Are all timers those of polls that keep no run alive? Called at rest.
bool ParallelExecutor::has_only_polls() {
  const std::lock_guard lock(timers_mutex_);
  return timers_.size() > 0 && timers_.size() == polled_.load();
}

/// Asks all polled terms once more, as the last ticks may have come behind the last polls. False:
/// they were asked behind them.
bool ParallelExecutor::poll_all() {
  const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
  if (polled_.load() == 0 || std::exchange(polled_at_, activity) == activity) {
    return false;
  }
  release_due(kForever - 1);
  return true;
}

/// Those of one time together, so that their order does not depend on how fast a worker wakes.
void ParallelExecutor::release_due(std::int64_t now) {
  due_.clear();
  {
    const std::lock_guard lock(timers_mutex_);
    for (std::uint32_t job = timers_.pop_due(now, kNone); job != kNone;
         job = timers_.pop_due(now, kNone)) {
      due_.push_back({job, jobs_[job].worker});
    }
  }
  if (due_.empty()) {
    return;
  }
  std::erase_if(due_, [this](const WorkQueues::Job& job) { return !turn_to_queued(job.number); });
  // A poll is no activity; what it leads to is.
  const auto ended = std::ranges::count_if(
      due_, [this](const WorkQueues::Job& job) { return jobs_[job.number].rest != Rest::Poll; });
  activity_.fetch_add(static_cast<std::uint64_t>(ended), std::memory_order_relaxed);
  queues_.push_together(due_);
}

/// What comes from outside must not be skipped: the limit of the run counts in real time then. A
/// loop on a GPU may always have something, so that nobody rests. `outside`: that is all that is
/// awaited.
std::int64_t ParallelExecutor::standing_time_left(bool outside) noexcept {
  if (end_ == kForever || !(options_.resident || outside)) {
    return kForever;
  }
  const std::int64_t now = clock_.timestamp();
  return standing_.left(now, options_.resident ? duration_ : end_ - now);
}

/// Until `target` on the clock, for `patience` of real time, or until an alert.
void ParallelExecutor::wait(std::int64_t target, std::int64_t patience, bool at_rest) {
  if (!clock_runs_) {
    if (at_rest && target != kForever && outside_.load() == 0 && patience == kForever) {
      clock_.sleep_until(target);  // jumps, now that all work of this time is done
      return;
    }
    if (options_.resident && !are_all_started()) {
      static_cast<void>(wait_for_alert(std::min(kStartPeriod, patience)));
      return;
    }
    const std::int64_t limit = standing_time_left(at_rest && target > end_);
    if (limit < 0 || (!wait_for_alert(std::min(limit, patience)) && limit < patience)) {
      clock_.sleep_until(saturated_sum(end_, 1));
    }
    return;
  }
  const std::int64_t limit =
      real_end_ == kForever ? kForever : saturated_sum(real_end_ - steady_now(), 1);
  wait_in_real_time(target, std::min(patience, limit));
}

/// Until `target` on a clock that runs, or for `most` ns: actively in the end, if the file says so.
void ParallelExecutor::wait_in_real_time(std::int64_t target, std::int64_t most) {
  const std::int64_t left =
      target == kForever ? kForever : std::min(clock_.real_time_until(target), kLongestClockWait);
  const std::int64_t spin = target == kForever ? 0 : shape_.timing.spin;
  if (left > spin && (left - spin > most || spin == 0)) {
    static_cast<void>(wait_for_alert(std::min(left, most)));
    return;
  }
  if (left > spin && wait_for_alert(left - spin)) {
    return;
  }
  const std::int64_t end = saturated_sum(steady_now(), most);
  while (clock_.real_time_until(target) > 0 && steady_now() < end && !wait_for_alert(0)) {
    spin_pause();
  }
}

/// False when `real_time` ns passed without an alert.
bool ParallelExecutor::wait_for_alert(std::int64_t real_time) {
  const auto alerted = [this] { return alerted_; };
  std::unique_lock lock(mutex_);
  bool in_time = true;
  if (real_time == kForever) {
    changed_.wait(lock, alerted);
  } else {
    in_time = changed_.wait_for(lock, std::chrono::nanoseconds(real_time), alerted);
  }
  alerted_ = false;
  return in_time;
}

void ParallelExecutor::alert() noexcept {
  {
    const std::lock_guard lock(mutex_);
    alerted_ = true;
  }
  changed_.notify_one();
}

/// The last worker is about to fall asleep. Nobody is woken where keep_time() would only wait
/// again: on a clock that runs, while something from outside is awaited.
void ParallelExecutor::come_to_rest() noexcept {
  const bool only_waits = clock_runs_ && options_.rest == nullptr && outside_.load() > 0 &&
                          polled_.load() == 0 && finished_.load() < jobs_.size();
  if (!only_waits) {
    alert();
  }
}

void ParallelExecutor::interrupt(bool by_signal) noexcept {
  if (by_signal) {
    interrupted_by_signal_.store(true);
  }
  interrupted_.store(true);
  queues_.stop();
  alert();
}

std::string ParallelExecutor::description() const {
  return std::to_string(queues_.workers()) + " worker " +
         (queues_.workers() == 1 ? "thread" : "threads");
}

RunStatus ParallelExecutor::status(std::chrono::milliseconds patience) {
  auto answer = status_.ask(status_frame(), patience, [this] { alert(); });
  return answer ? *std::move(answer) : status_frame();
}

std::uint64_t ParallelExecutor::ticks() noexcept {
  std::uint64_t ticks = 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    ticks += jobs_[i].measured.ticks_so_far();
  }
  return ticks;
}

/// What any thread can see.
RunStatus ParallelExecutor::status_frame() {
  RunStatus status;
  status.executor = description();
  status.entities.reserve(jobs_.size());
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    const ParallelJob& job = jobs_[i];
    status.entities.push_back(entity_frame(*job.entity, job.measured.ticks_so_far()));
    EntityStatus& entity = status.entities.back();
    const State state = job.state.load();
    entity.state = state == State::Idle     ? EntityState::Waiting
                   : state == State::Queued ? EntityState::Queued
                                            : EntityState::Running;
    tell_inboxes(entity, job);
    facts_.tell(entity, i);
  }
  facts_.tell(status);
  return status;
}

/// Takes the job, if nobody else has it, since only its owner may ask its terms.
void ParallelExecutor::tell_status(EntityStatus& status, std::uint32_t index) {
  ParallelJob& job = jobs_[index];
  status.ticks = job.measured.ticks_so_far();
  State seen = State::Idle;
  if (!job.state.compare_exchange_strong(seen, State::Running)) {
    status.state = seen == State::Queued ? EntityState::Queued : EntityState::Running;
    tell_inboxes(status, job);
    return;
  }
  tell_idle(status, job);
  tell_queues(status, *job.entity);
  tell_inboxes(status, job);
  // A term that was asked may not say the same news again, so a worker looks at the job as well.
  State running = State::Running;
  if (!job.terms.empty() || !job.state.compare_exchange_strong(running, State::Idle)) {
    job.state.exchange(State::Queued);
    if (status.state == EntityState::Ready) {
      activity_.fetch_add(1, std::memory_order_relaxed);
    }
    queues_.push(index, job.worker);  // a question does not put off the end of the run
  }
}

void ParallelExecutor::tell_idle(EntityStatus& status, ParallelJob& job) {
  if (job.rest == Rest::Finished || !job.entity->started) {
    status.state = job.rest == Rest::Finished ? EntityState::Finished : EntityState::NotStarted;
    return;
  }
  if (job.held) {
    tell_waiting(status, {job.entity->hold});
    return;
  }
  for (const ParallelJob::Inlet& inlet : job.inbox) {
    if (inlet.inbox == nullptr) {
      continue;
    }
    const CallSite site = instance_.site(*inlet.receiver, "push");
    const CallScope scope(site);
    try {
      inlet.inbox->take_in();
    } catch (...) {
      fail(site);
    }
  }
  tell_waiting(status, waiting_reasons(*job.entity, instance_, clock_.timestamp()));
}

void ParallelExecutor::end(Report& report) {
  const std::int64_t now = clock_.timestamp();
  report.failures.insert(report.failures.end(), failures_.begin(), failures_.end());
  add_stop_failures(report, stop_failures_, options_.compat_gxf);
  jobs_.settle_all(report.failures);
  if (failed_without_words_.load()) {
    report.failures.push_back({{}, {}, "gxr", "run", "out of memory", ErrorCode::OutOfMemory});
  }
  // The others stop when the application is deactivated, after the report on what they wait for.
  if (report.reason == EndReason::Failed || report.reason == EndReason::Duration) {
    list_waiting(report, now);
    stop_all(report, now);
  }
  report.duration_ns = counter_.elapsed_ns();
  add_queues(report, instance_);
  report.measured = options_.measure;
  const double ns_per_count = options_.measure ? counter_.ns_per_count() : 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    add_statistics(report, *jobs_[i].entity, jobs_[i].measured, ns_per_count);
  }
  if (report.reason == EndReason::Completed) {
    judge_rest(report, finished_.load(), jobs_.size());
    if (options_.rest != nullptr) {
      std::size_t ends = 0;
      std::size_t ended = 0;
      for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
        ends += jobs_[i].is_end ? 1 : 0;
        ended += jobs_[i].is_end && jobs_[i].rest == Rest::Finished ? 1 : 0;
      }
      options_.rest->count_finished(finished_.load() - ended, jobs_.size() - ends);
    }
  }
  list_waiting(report, now);
  report.last_status = status_frame();
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    const bool has_finished = jobs_[i].rest == Rest::Finished;
    tell_last(report.last_status.entities[i], *jobs_[i].entity, has_finished);
  }
}

void ParallelExecutor::stop_all(Report& report, std::int64_t now) {
  instance_.prepare_stops();
  std::vector<Failure> failures;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].entity->started) {
      instance_.stop(*jobs_[i].entity, now, failures);
    }
  }
  add_stop_failures(report, failures, options_.compat_gxf);
}

/// Who has been stopped is not listed (again).
void ParallelExecutor::list_waiting(Report& report, std::int64_t now) {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].rest != Rest::Finished) {
      add_waiting(report, *jobs_[i].entity, instance_, now);
    }
  }
}

}  // namespace gxr
