#include "schedulers/parallel_executor.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "runtime/nanoseconds.hpp"
#include "schedulers/lost_message.hpp"
#include "schedulers/receiver_sync.hpp"
#include "schedulers/run_conclusion.hpp"

namespace gxr {
/// A thread that runs jobs.
struct ParallelExecutor::Worker {
  std::uint32_t number;
  bool bound;                  ///< runs jobs that no other worker may run
  const CallSite** call_site;  ///< this thread's marker
};

ParallelExecutor::ParallelExecutor(Instance& instance, Clock& clock, ParallelOptions shape,
                                   ExecutorOptions options)
    : instance_(instance),
      clock_(clock),
      shape_(std::move(shape)),
      options_(options),
      jobs_(instance),
      observed_(instance),
      queues_({std::max(shape_.workers, 1U), static_cast<std::uint32_t>(shape_.pinned.size()),
               shape_.strict_pinning},
              [this] { alert(); }),
      clock_runs_(clock.runs()),
      timers_(jobs_.size()) {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    jobs_[i].observed = observed_.needed_for(*jobs_[i].entity);
  }
  const std::uint32_t common = std::max(shape_.workers, 1U);
  for (std::uint32_t i = 0; i < shape_.pinned.size(); ++i) {
    if (const std::uint32_t job = jobs_.of_entity(shape_.pinned[i]); job != kNone) {
      jobs_[job].worker = common + i;
    }
  }
}

ParallelExecutor::~ParallelExecutor() = default;

// --- workers -------------------------------------------------------------------------------------

void ParallelExecutor::work(std::uint32_t number) {
  Worker worker{number, number >= std::max(shape_.workers, 1U), &call_site_slot()};
  for (std::uint32_t job = queues_.take(number); job != WorkQueues::kStop;
       job = queues_.take(number)) {
    try {
      look_at(worker, job);
    } catch (...) {
      const CallSite unknown{"run", {}, {}, {}};
      fail(current_failure(*worker.call_site != nullptr ? **worker.call_site : unknown));
    }
    *worker.call_site = nullptr;
  }
  {
    const std::lock_guard lock(mutex_);
    ++finished_workers_;
  }
  changed_.notify_all();
}

void ParallelExecutor::look_at(Worker& worker, std::uint32_t index) {
  ParallelJob& job = jobs_[index];
  job.took_in.store(false, std::memory_order_release);
  job.state.exchange(State::Running);  // reads the last wake()
  const bool again = advance(worker, job, index);
  if (!again) {
    State running = State::Running;
    if (job.state.compare_exchange_strong(running, State::Idle)) {
      return;
    }
  }
  job.state.exchange(State::Queued);
  // One that gives way goes behind others' jobs too, so that this worker takes one of those next.
  enqueue(job.held_back_since != 0 ? nullptr : &worker, index);
}

/// One step of an entity. True when it is to be looked at again without an event.
bool ParallelExecutor::advance(Worker& worker, ParallelJob& job, std::uint32_t index) {
  const std::int64_t now = clock_.timestamp();
  if (!job.entity->started) {
    return start(job, index, now);
  }
  const Condition condition = evaluate(worker, job, now);
  const bool due = condition.type == ConditionType::Ready ||
                   (condition.type == ConditionType::WaitTime && condition.target <= now);
  if (due && !job.unguarded.empty() && gives_way(job)) {
    return true;
  }
  if (due) {
    job.ready_since = condition.target > 0 ? std::min(condition.target, now) : now;
    set_rest(job, index, Rest::Event);
    if (tick(worker, job, now)) {
      return !job.terms.empty() || all_met(job.ranges);
    }
    set_rest(job, index, Rest::Finished);
    stop(&worker, job, now);
    return false;
  }
  switch (condition.type) {
    case ConditionType::Never:
      set_rest(job, index, Rest::Finished);
      if (stays_finished(job)) {
        stop(&worker, job, now);
      }
      break;
    case ConditionType::WaitEvent:
      set_rest(job, index, Rest::Outside);
      break;
    case ConditionType::WaitTime:
      set_rest(job, index, Rest::Time);
      set_timer(index, condition.target);
      break;
    case ConditionType::Ready:
    case ConditionType::Wait:
      set_rest(job, index, job.poll_period > 0 ? Rest::Time : Rest::Event);
      if (job.poll_period > 0) {
        set_timer(index, saturated_sum(now, job.poll_period));
      }
      break;
  }
  return false;
}

/// Would its messages find a queue full that another job is about to empty? An entity without a
/// term for the room behind it would lose them only because of the order in which jobs are run.
/// Where a fault is what follows it also waits for the consumer's tick. A message is held back for
/// a second at most, since a consumer may wait for something else.
bool ParallelExecutor::gives_way(ParallelJob& job) {
  constexpr std::int64_t kPatience = 1'000'000'000;
  const ParallelJob* consumer = job.consumer_to_wait_for();
  job.waits_for.store(consumer, std::memory_order_release);
  if (consumer == nullptr || waits_in_turn(*consumer, job)) {
    job.held_back_since = 0;
    return false;
  }
  const std::int64_t now = steady_now();
  if (job.held_back_since == 0) {
    job.held_back_since = now;
  }
  const std::int64_t held = now - job.held_back_since;
  if (held > kPatience) {
    job.held_back_since = 0;
    job.waits_for.store(nullptr, std::memory_order_release);
    return false;
  }
  pause_for(held);
  return true;
}

/// Jobs that wait for each other in a circle must not.
bool ParallelExecutor::waits_in_turn(const ParallelJob& consumer, const ParallelJob& job) noexcept {
  constexpr int kLongestChain = 64;  // others change meanwhile, so that it may not end
  const ParallelJob* next = &consumer;
  for (int i = 0; i < kLongestChain && next != nullptr; ++i) {
    next = next->waits_for.load(std::memory_order_acquire);
    if (next == &job) {
      return true;
    }
  }
  return false;
}

/// The longer a job has been held back, the longer nobody needs to look again.
void ParallelExecutor::pause_for(std::int64_t held) {
  constexpr std::int64_t kShort = 100'000;
  constexpr std::int64_t kLongest = 1'000'000;
  if (held < kShort) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(held / 4, kLongest)));
  }
}

/// False when the entity has finished and been stopped. A node of a behaviour tree starts again
/// when its parent makes its term READY.
bool ParallelExecutor::start(ParallelJob& job, std::uint32_t index, std::int64_t now) {
  if (job.rest == Rest::Finished) {
    if (job.entity->controller == nullptr || !observed_.starts_again(*job.entity)) {
      return false;
    }
    set_rest(job, index, Rest::Event);
  }
  instance_.start(*job.entity, now);
  return true;
}

/// Is a NEVER of this entity for ever? Terms that a component sets may turn READY again, and their
/// entity goes on then, as under GXF's EventBasedScheduler; a node of a behaviour tree starts anew.
bool ParallelExecutor::stays_finished(const ParallelJob& job) noexcept {
  return job.entity->controller != nullptr ||
         std::ranges::any_of(job.terms, [](const TermCheck& term) {
           return term.remaining != nullptr && *term.remaining <= 0;
         });
}

/// stop() of a finished entity; what it publishes is delivered. `worker` is null for the thread of
/// run().
void ParallelExecutor::stop(Worker* worker, ParallelJob& job, std::int64_t now) {
  std::vector<Failure> failures;
  instance_.stop(*job.entity, now, failures);
  for (const ParallelJob::Outlet& outlet : job.outbox) {
    distribute(worker, outlet);
  }
  if (!failures.empty()) {
    const std::lock_guard lock(mutex_);
    stop_failures_.insert(stop_failures_.end(), failures.begin(), failures.end());
  }
}

Condition ParallelExecutor::evaluate(Worker& worker, ParallelJob& job, std::int64_t now) {
  // Terms of other kinds read the receivers themselves, and a receiver of another kind may not keep
  // what arrives.
  if (!job.terms.empty() || job.own_receivers) {
    *worker.call_site = job.ticks.front().site;
    for (const ParallelJob::Inlet& inlet : job.inbox) {
      if (inlet.inbox != nullptr) {
        inlet.inbox->take_in();
      }
    }
  }
  Condition all{all_met(job.ranges) ? ConditionType::Ready : ConditionType::Wait, 0};
  for (const TermCheck& term : job.terms) {
    if (term.remaining == nullptr) {
      *worker.call_site = term.check_site;
      all = both(all, term.term->check(now));
    } else if (*term.remaining <= 0) {
      return {ConditionType::Never, 0};
    }
  }
  return all;
}

/// False when the entity has finished, which only a Controller can decide here.
bool ParallelExecutor::tick(Worker& worker, ParallelJob& job, std::int64_t now) {
  const std::uint64_t begin = options_.measure ? counter_.now() : 0;
  take_in(worker, job);
  bool goes_on = true;
  if (job.observed) {
    const auto after = [&] { finish_tick(worker, job, now); };
    goes_on = observed_.run(*job.entity, job.ticks, {now, job.ready_since}, std::cref(after));
    settle(worker, job);
  } else {
    for (const CodeletTick& tick : job.ticks) {
      *worker.call_site = tick.site;
      tick.codelet->begin_tick(now);
      tick.codelet->tick();
    }
    finish_tick(worker, job, now);
  }
  if (options_.measure) {
    job.measured.add(counter_.now() - begin);
  }
  return goes_on;
}

void ParallelExecutor::take_in(Worker& worker, ParallelJob& job) {
  *worker.call_site = job.ticks.front().site;
  for (const ParallelJob::Inlet& inlet : job.inbox) {
    if (inlet.inbox != nullptr) {
      inlet.inbox->sync();
    } else {
      sync_receiver(*inlet.receiver);
    }
  }
  job.took_in.store(true, std::memory_order_release);
}

void ParallelExecutor::finish_tick(Worker& worker, ParallelJob& job, std::int64_t now) {
  for (const TermCheck& term : job.terms) {
    if (term.remaining != nullptr) {
      --*term.remaining;
    } else {
      *worker.call_site = term.on_execute_site;
      term.term->on_execute(now);
    }
  }
  settle(worker, job);
  for (const ParallelJob::Outlet& outlet : job.outbox) {
    distribute(&worker, outlet);
  }
  ++job.measured.count;
}

/// Tells those who wait for room what the tick has taken.
void ParallelExecutor::settle(Worker& worker, ParallelJob& job) {
  for (const ParallelJob::Inlet& inlet : job.inbox) {
    if (inlet.inbox == nullptr || inlet.inbox->settle()) {
      for (const std::uint32_t watcher : jobs_.watchers().spaces(inlet.receiver->component_id())) {
        wake(&worker, watcher);
      }
    }
  }
}

void ParallelExecutor::distribute(Worker* worker, const ParallelJob::Outlet& outlet) {
  outlet.transmitter->sync();
  while (Message message = outlet.transmitter->pop()) {
    for (std::size_t i = 0; i + 1 < outlet.targets.size(); ++i) {
      deliver(worker, outlet, outlet.targets[i], message);
    }
    if (!outlet.targets.empty()) {
      deliver(worker, outlet, outlet.targets.back(), std::move(message));
    }
  }
}

void ParallelExecutor::deliver(Worker* worker, const ParallelJob::Outlet& outlet,
                               const ParallelJob::Target& target, Message message) {
  if (target.inbox == nullptr) {
    if (!deliver_by_call(outlet, target, std::move(message))) {
      return;
    }
  } else if (!target.inbox->deliver(std::move(message))) {
    report_lost_message(*outlet.transmitter, *target.receiver,
                        full_queue_text(target.inbox->capacity()), options_.compat_gxf,
                        &target.has_lost);
    return;
  }
  for (const std::uint32_t watcher : target.watchers) {
    wake(worker, watcher);
  }
}

/// False when a concurrent receiver had no room and the message is lost.
bool ParallelExecutor::deliver_by_call(const ParallelJob::Outlet& outlet,
                                       const ParallelJob::Target& target, Message message) {
  try {
    target.receiver->push(std::move(message));
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Overflow) {
      throw;
    }
    report_lost_message(*outlet.transmitter, *target.receiver, error.message(), options_.compat_gxf,
                        nullptr);
    return false;
  }
}

void ParallelExecutor::set_rest(ParallelJob& job, std::uint32_t index, Rest rest) {
  if (job.rest == rest) {
    return;
  }
  if (job.rest == Rest::Time) {
    const std::lock_guard lock(timers_mutex_);
    timers_.cancel(index);
  }
  const auto count = [&](Rest kind, std::atomic<std::uint32_t>& jobs) {
    if (job.rest == kind) {
      jobs.fetch_sub(1);
    } else if (rest == kind) {
      jobs.fetch_add(1);
    }
  };
  count(Rest::Outside, outside_);
  count(Rest::Finished, finished_);
  job.rest = rest;
}

void ParallelExecutor::set_timer(std::uint32_t index, std::int64_t target) {
  bool earliest = false;
  {
    const std::lock_guard lock(timers_mutex_);
    earliest = target < timers_.earliest();
    timers_.set(index, target);
  }
  if (earliest && clock_runs_) {
    alert();
  }
}

void ParallelExecutor::wake(Worker* worker, std::uint32_t index) {
  std::atomic<State>& state = jobs_[index].state;
  State seen = state.load();
  for (;;) {
    switch (seen) {
      case State::Idle:
        if (state.compare_exchange_weak(seen, State::Queued)) {
          enqueue(worker, index);
          return;
        }
        break;
      case State::Running:
        if (state.compare_exchange_weak(seen, State::Again)) {
          return;
        }
        break;
      case State::Queued:
      case State::Again:
        // Written although nothing changes: whoever turns the state to Running reads this, and so
        // sees what the caller did before. A mere load may be done before that is visible.
        if (state.compare_exchange_weak(seen, seen)) {
          return;
        }
        break;
    }
  }
}

void ParallelExecutor::enqueue(Worker* worker, std::uint32_t index) {
  const std::uint32_t bound = jobs_[index].worker;
  if (worker != nullptr && !worker->bound && bound == WorkQueues::kAnyWorker) {
    queues_.push_own(worker->number, index);
  } else {
    activity_.fetch_add(1, std::memory_order_relaxed);
    queues_.push(index, bound);
  }
}

void ParallelExecutor::fail(Failure failure) noexcept {
  {
    const std::lock_guard lock(mutex_);
    failures_.push_back(std::move(failure));
  }
  failed_.store(true);
  queues_.stop();
  alert();
}

void ParallelExecutor::notify(std::uint32_t entity) {
  if (const std::uint32_t job = jobs_.of_entity(entity); job != kNone) {
    // Also from inside a tick, which may go on for long: others may take the job at once.
    wake(nullptr, job);
  }
}

// --- the thread of run() -------------------------------------------------------------------------

void ParallelExecutor::run(Report& report) {
  const std::int64_t begin = clock_.timestamp();
  const std::optional<std::int64_t>& duration = shape_.limits.max_duration_ms;
  if (duration) {
    // A clock that jumps has nothing to do with real time.
    const bool in_real_time = shape_.limits.duration_in_real_time && clock_runs_;
    (in_real_time ? real_end_ : end_) = saturated_sum(in_real_time ? steady_now() : begin,
                                                      ms_to_ns(static_cast<double>(*duration)));
  }
  counter_ = CycleCounter();
  start_workers();
  keep_time(report);
  join_workers();
  end(report);
}

void ParallelExecutor::start_workers() {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    queues_.push(i, jobs_[i].worker);
  }
  try {
    for (std::uint32_t i = 0; i < queues_.workers(); ++i) {
      threads_.emplace_back([this, i] { work(i); });
    }
  } catch (const std::exception& error) {
    const std::size_t started = threads_.size();
    join_workers();
    throw Error(ErrorCode::OutOfMemory, "thread " + std::to_string(started + 1) + " of " +
                                            std::to_string(queues_.workers()) +
                                            " cannot be started: " + error.what());
  }
}

/// Ends what the workers do. A codelet that sleeps on the clock is woken, again and again, because
/// it may go on sleeping.
void ParallelExecutor::join_workers() {
  constexpr std::chrono::milliseconds kPeriod(10);
  queues_.stop();
  std::unique_lock lock(mutex_);
  do {
    lock.unlock();
    clock_.wake();
    lock.lock();
  } while (
      !changed_.wait_for(lock, kPeriod, [this] { return finished_workers_ == threads_.size(); }));
  lock.unlock();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void ParallelExecutor::keep_time(Report& report) {
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
    const std::int64_t now = clock_.timestamp();
    if (now > end_ || steady_now() > real_end_) {
      report.reason = EndReason::Duration;
      return;
    }
    release_due(now);
    const bool at_rest = queues_.is_at_rest();
    const std::int64_t earliest = earliest_timer();
    std::int64_t patience = kForever;
    if (at_rest && earliest == kForever) {
      patience = patience_left();
      if (patience <= 0) {
        if (stop_finished(now)) {
          continue;
        }
        return;
      }
    } else {
      resting_since_.reset();
    }
    wait(std::min(earliest, saturated_sum(end_, 1)), patience, at_rest);
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
  return any;
}

void ParallelExecutor::stop_at_rest(ParallelJob& job, std::int64_t now) {
  try {
    stop(nullptr, job, now);
  } catch (...) {
    fail(current_failure(instance_.site(*job.entity->codelets.front(), "stop")));
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
  const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
  if (!resting_since_ || activity != activity_at_rest_) {
    resting_since_ = steady_now();
    activity_at_rest_ = activity;
  }
  return saturated_sum(*resting_since_, ms_to_ns(shape_.limits.patience_ms)) - steady_now();
}

std::int64_t ParallelExecutor::earliest_timer() {
  const std::lock_guard lock(timers_mutex_);
  return timers_.earliest();
}

void ParallelExecutor::release_due(std::int64_t now) {
  for (;;) {
    std::uint32_t job = kNone;
    {
      const std::lock_guard lock(timers_mutex_);
      job = timers_.pop_due(now, kNone);
    }
    if (job == kNone) {
      return;
    }
    wake(nullptr, job);
  }
}

/// Until `target` on the clock, for `patience` of real time, or until an alert.
void ParallelExecutor::wait(std::int64_t target, std::int64_t patience, bool at_rest) {
  if (!clock_runs_) {
    if (at_rest && target != kForever && outside_.load() == 0 && patience == kForever) {
      clock_.sleep_until(target);  // jumps, now that all work of this time is done
      return;
    }
    // What comes from outside must not be skipped: the limit of the run counts in real time then.
    const bool by_limit = at_rest && end_ != kForever && target > end_;
    const std::int64_t limit = by_limit ? end_ - clock_.timestamp() : kForever;
    if (!wait_for_alert(std::min(limit, patience)) && limit < patience) {
      clock_.sleep_until(target);
    }
    return;
  }
  const std::int64_t left = target == kForever ? kForever : clock_.real_time_until(target);
  const std::int64_t limit =
      real_end_ == kForever ? kForever : saturated_sum(real_end_ - steady_now(), 1);
  static_cast<void>(wait_for_alert(std::min({left, patience, limit})));
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

void ParallelExecutor::interrupt(bool by_signal) noexcept {
  if (by_signal) {
    interrupted_by_signal_.store(true);
  }
  interrupted_.store(true);
  queues_.stop();
  alert();
}

void ParallelExecutor::end(Report& report) {
  const std::int64_t now = clock_.timestamp();
  report.failures.insert(report.failures.end(), failures_.begin(), failures_.end());
  report.failures.insert(report.failures.end(), stop_failures_.begin(), stop_failures_.end());
  // The others stop when the application is deactivated, after the report on what they wait for.
  if (report.reason == EndReason::Failed || report.reason == EndReason::Duration) {
    stop_all(report, now);
  }
  report.duration_ns = counter_.elapsed_ns();
  jobs_.settle_all(report.failures);
  add_queues(report, instance_);
  report.measured = options_.measure;
  const double ns_per_count = options_.measure ? counter_.ns_per_count() : 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    add_statistics(report, *jobs_[i].entity, jobs_[i].measured, ns_per_count);
  }
  if (report.reason == EndReason::Completed) {
    conclude(report, now);
  }
}

void ParallelExecutor::stop_all(Report& report, std::int64_t now) {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].entity->started) {
      instance_.stop(*jobs_[i].entity, now, report.failures);
    }
  }
}

void ParallelExecutor::conclude(Report& report, std::int64_t now) {
  judge_rest(report, finished_.load(), jobs_.size());
  for (std::uint32_t i = 0; report.reason == EndReason::Deadlock && i < jobs_.size(); ++i) {
    if (jobs_[i].rest != Rest::Finished) {
      report.waiting.push_back(waiting_entity(*jobs_[i].entity, instance_, now));
    }
  }
}

}  // namespace gxr
