#include "executors/greedy/greedy_executor.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "executors/entity_status.hpp"
#include "executors/exchange_turn.hpp"
#include "executors/greedy/greedy_jobs.hpp"
#include "executors/lost_message.hpp"
#include "executors/rest_watch.hpp"
#include "executors/run_conclusion.hpp"
#include "gxr/error.hpp"
#include "sdk/clock_waits.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/waiting_messages.hpp"
#include "system/nanoseconds.hpp"
#include "system/spin_lock.hpp"

namespace gxr {
Executor::~Executor() = default;

std::size_t Executor::messages_in(const Receiver& receiver) const { return waiting_in(receiver); }

GreedyExecutor::GreedyExecutor(Instance& instance, RunLimits limits, Clock& clock,
                               MessagePool& pool, ExecutorOptions options)
    : instance_(instance),
      limits_(limits),
      clock_(clock),
      pool_(pool),
      options_(options),
      jobs_(instance, *this),
      facts_(instance, clock, options.rest),
      observed_(instance, options),
      ready_(static_cast<std::uint32_t>(jobs_.size())),
      timers_(jobs_.size()),
      clock_runs_(clock.runs()),
      overfull_(options.compat_gxf) {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    jobs_[i].observed = observed_.needed_for(*jobs_[i].entity);
    jobs_[i].guarded = is_guarded(*jobs_[i].entity);
  }
}

GreedyExecutor::~GreedyExecutor() { jobs_.release(); }

void GreedyExecutor::let_sleep() noexcept {
  const std::lock_guard lock(mutex_);
  cuts_sleeps_ = false;
  clock_.cut_sleeps(false);
}

void GreedyExecutor::run(Report& report) {
  begin();
  EngineAccess::set_listener(clock_, this);
  std::optional<AppliedThreadSettings> settings;
  try {
    keep_time(settings);
    loop(report);
  } catch (...) {
    report.reason = EndReason::Failed;
    report.failures.push_back(failure_here());
    stop_early(report);
  }
  EngineAccess::set_listener(clock_, nullptr);
  status_.end();
  let_sleep();
  end(report);
}

/// What the file says of the thread.
void GreedyExecutor::keep_time(std::optional<AppliedThreadSettings>& settings) {
  if (timing_.thread.declared_by == nullptr) {
    return;
  }
  const CallSite site = instance_.site(*timing_.thread.declared_by, "thread");
  guarded(site, [&] {
    if (timing_.locks_memory) {
      lock_memory();
    }
    settings.emplace(timing_.thread);
  });
}

void GreedyExecutor::begin() {
  pool_.adopt_thread();
  if (options_.trace != nullptr) {
    options_.trace->this_thread("scheduler");
  }
  thread_.store(std::this_thread::get_id());
  call_site_ = &call_site_slot();
  outside_ = call_site_->get();
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    ready_.insert(i);
    if (options_.rest != nullptr && options_.rest->is_end(jobs_[i].entity->id)) {
      ends_.push_back(i);
    }
  }
  in_state_[static_cast<std::size_t>(State::Fresh)] = jobs_.size();
  now_ = last_ready_ = clock_.timestamp();
  const auto& duration = limits_.max_duration_ms;
  duration_ = duration ? ms_to_ns(static_cast<double>(*duration)) : kForever;
  end_ = saturated_sum(now_, duration_);
  counter_ = CycleCounter();
  stamp_ = counter_.now();
}

/// The exception being handled, as a failure of what this thread was running.
Failure GreedyExecutor::failure_here() const {
  const CallSite unknown{"run", {}, {}, {}};
  const CallSite* const site = call_site_->get();
  return current_failure(site != nullptr ? *site : unknown);
}

void GreedyExecutor::end(Report& report) {
  call_site_->replace(outside_);
  report.failures.insert(report.failures.end(), stop_failures_.begin(), stop_failures_.end());
  add_stop_failures(report, late_stop_failures_, options_.compat_gxf);
  report.duration_ns = counter_.elapsed_ns();
  conclude(report);
}

bool GreedyExecutor::run_epoch(double budget_ms) {
  const std::int64_t until = saturated_sum(clock_.timestamp(), ms_to_ns(std::max(budget_ms, 0.0)));
  bool anything = false;
  stamp_ = counter_.now();
  do {
    now_ = clock_.timestamp();
    take_due_timers();
    if (has_notifications_.load(std::memory_order_acquire)) {
      take_notifications();  // that came since the epoch before
    }
    any_ready_ = false;
    try {
      run_cycle();
    } catch (...) {
      const Failure failure = failure_here();
      stop_failures_.push_back(failure);  // for the report
      call_site_->set(outside_);
      throw Error(failure.code, describe(failure));
    }
    take_notifications();
    answer_status();
    anything = anything || any_ready_;
  } while (any_ready_ && clock_.timestamp() < until && !interrupted());
  call_site_->set(outside_);
  return anything;
}

void GreedyExecutor::push(Receiver& receiver, Message message) {
  receiver.push(std::move(message));
  message_arrived(receiver);
}

Condition GreedyExecutor::condition(std::uint32_t entity) {
  const std::uint32_t index = jobs_.of_entity(entity);
  GreedyJob& job = jobs_[index];
  if (job.state == State::Finished) {
    return {ConditionType::Never, 0};
  }
  now_ = clock_.timestamp();
  try {
    const bool is_urgent = find_urgent(job.terms, *call_site_) != nullptr;
    const Condition answer = is_urgent ? Condition{ConditionType::Ready, 0} : evaluate(job);
    call_site_->set(outside_);
    if (!job.terms.empty()) {
      ready_.insert(index);  // a term that was asked may not say the same news again
    }
    return answer;
  } catch (...) {
    const Failure failure = failure_here();
    stop_failures_.push_back(failure);
    call_site_->set(outside_);
    throw Error(failure.code, describe(failure));
  }
}

void GreedyExecutor::finish(Report& report) {
  status_.end();
  let_sleep();
  if (in_state_[static_cast<std::size_t>(State::Finished)] < jobs_.size()) {
    report.reason = EndReason::Interrupted;  // the program that embeds it had enough
    instance_.announce_early_end();
  }
  stop_all(report);
  end(report);
}

void GreedyExecutor::loop(Report& report) {
  for (;;) {
    now_ = clock_.timestamp();
    if (interrupted()) {
      report.reason = EndReason::Interrupted;
      report.by_signal = interrupted_by_signal_.load(std::memory_order_relaxed);
      return;
    }
    if (now_ > end_) {
      report.reason = EndReason::Duration;
      stop_early(report);
      return;
    }
    take_due_timers();
    any_ready_ = false;
    run_cycle();
    if (any_ready_) {
      last_ready_ = now_;
      has_polled_all_ = false;
    }
    if (options_.rest != nullptr) [[unlikely]] {
      rest_events_ = options_.rest->events();
    }
    if (has_notifications_.load(std::memory_order_acquire)) {
      take_notifications();
    }
    answer_status();
    if (!any_ready_ && ready_.empty() && !wait_for_something()) {
      return;  // conclude() tells completed from deadlock
    }
    if (has_stood_for_too_long()) {
      report.reason = EndReason::Duration;
      stop_early(report);
      return;
    }
  }
}

void GreedyExecutor::run_cycle() {
  for (std::uint32_t i = ready_.next(0); i != ReadySet::kEnd; i = ready_.next(i + 1)) {
    ready_.erase(i);
    visit(i);
  }
}

// From here to its messages' delivery, a tick is one function to the processor: calls between the
// parts would cost a seventh of a hop.
[[gnu::always_inline]] inline void GreedyExecutor::visit(std::uint32_t index) {
  GreedyJob& job = jobs_[index];
  if (instance_.changes().any()) [[unlikely]] {
    see_to_outside(job, index);
  }
  if (job.state != State::Waiting || !job.terms.empty()) {
    visit_otherwise(job, index);
  } else if (all_met(job.ranges)) {
    ready_since_ = now_;
    execute(job, index);
  }
}

/// Somebody outside has changed or asked something.
void GreedyExecutor::see_to_outside(GreedyJob& job, std::uint32_t index) {
  if (has_turn_to_take(instance_, *job.entity)) {
    Turn turn{*job.entity, job.ticks, job.state == State::Finished};
    take_turn(instance_, turn);
    follow_turn(job, index);
  }
  answer_status();
}

/// What a turn has left behind.
void GreedyExecutor::follow_turn(GreedyJob& job, std::uint32_t index) {
  if (!job.entity->hold.empty()) {
    timers_.cancel(index);
    set_state(job, State::Held);
  } else if (job.state == State::Held) {
    set_state(job, State::Waiting);
    ready_.insert(index);
    any_ready_ = true;
    for (const GreedyJob::Outlet& outlet : job.outbox) {
      distribute(outlet);  // what start() published
    }
  }
  job.guarded = is_guarded(*job.entity);
  stamp_ = counter_.now();
}

/// A tick of a guarded entity failed. False: so does the run.
bool GreedyExecutor::rescue(GreedyJob& job, std::uint32_t index, const Failure& failure,
                            std::uint64_t before) {
  Turn turn{*job.entity, job.ticks};
  if (!rescue_tick(instance_, turn, failure, before)) {
    return false;
  }
  follow_turn(job, index);
  ready_.insert(index);
  return true;
}

void GreedyExecutor::visit_otherwise(GreedyJob& job, std::uint32_t index) {
  if (job.state == State::Held) {
    return;
  }
  if (job.state == State::Fresh) {
    start(job, index);
    return;
  }
  if (job.state == State::Finished) {
    if (job.entity->controller != nullptr) {
      restart(job, index);
    }
    return;
  }
  if (UrgentTerm* const urgent = find_urgent(job.terms, *call_site_); urgent != nullptr)
      [[unlikely]] {
    execute_urgent(job, index, *urgent);
    return;
  }
  const Condition condition = evaluate(job);
  if (condition.type == ConditionType::Ready ||
      (condition.type == ConditionType::WaitTime && condition.target <= now_)) {
    facts_.note_time(index, condition.target);
  }
  ready_since_ = condition.target > 0 ? std::min(condition.target, now_) : now_;
  switch (condition.type) {
    case ConditionType::Ready:
      execute(job, index);
      return;
    case ConditionType::WaitTime:
      if (condition.target <= now_) {
        execute(job, index);
        return;
      }
      timers_.set(index, condition.target);
      set_state(job, State::Timed);
      return;
    case ConditionType::Wait:
      wait(job, index);
      return;
    case ConditionType::WaitEvent:
      timers_.cancel(index);
      set_state(job, State::Parked);
      return;
    case ConditionType::Never:
      finish(job, index);
      return;
  }
}

void GreedyExecutor::start(GreedyJob& job, std::uint32_t index) {
  instance_.start(*job.entity, now_);
  stamp_ = counter_.now();
  any_ready_ = true;
  set_state(job, State::Waiting);
  ready_.insert(index);
}

void GreedyExecutor::finish(GreedyJob& job, std::uint32_t index) {
  timers_.cancel(index);
  set_state(job, State::Finished);
  has_polled_all_ = false;  // stop() may change what others' terms say
  std::vector<Failure> failures;
  stop(job, failures);
  for (const GreedyJob::Outlet& outlet : job.outbox) {
    distribute(outlet);  // what stop() published
  }
  if (!failures.empty()) {
    stop_failures_.insert(stop_failures_.end(), failures.begin() + 1, failures.end());
    throw ComponentFailure(failures.front());
  }
}

/// A node of a behaviour tree that has finished runs again when its parent makes its term READY.
void GreedyExecutor::restart(GreedyJob& job, std::uint32_t index) {
  if (observed_.starts_again(*job.entity)) {
    start(job, index);
  }
}

void GreedyExecutor::stop(GreedyJob& job, std::vector<Failure>& failures) {
  if (job.entity->started) {
    instance_.stop(*job.entity, now_, failures);
    stamp_ = counter_.now();
  }
}

void GreedyExecutor::wait(GreedyJob& job, std::uint32_t index) {
  if (job.polling.period > 0) {
    timers_.set(index, saturated_sum(now_, job.polling.period));
    set_state(job, job.polling.keeps_alive ? State::Timed : State::Polled);
    return;
  }
  if (job.state == State::Timed) {
    timers_.cancel(index);
  }
  set_state(job, State::Waiting);
}

[[gnu::always_inline]] inline void GreedyExecutor::execute(GreedyJob& job, std::uint32_t index) {
  any_ready_ = true;
  if (job.state != State::Waiting) {
    timers_.cancel(index);
    set_state(job, State::Waiting);
  }
  const bool has_trail = take_in(job);
  const bool is_measured = --job.ticks_to_measure == 0 || has_trail;
  if (job.observed || job.guarded) [[unlikely]] {
    execute_observed(job, index, is_measured);
    return;
  }
  if (is_measured) [[unlikely]] {
    tick_measured(job, index);
  } else {
    tick(job);
    finish_tick(job);
  }
  if (all_met(job.ranges) || may_end(job)) {
    ready_.insert(index);
  }
}

[[gnu::always_inline]] inline void GreedyExecutor::tick(GreedyJob& job) {
  for (const CodeletTick& tick : job.ticks) {
    call_site_->set(tick.site);
    EngineAccess::begin_tick(*tick.codelet, now_);
    tick.codelet->tick();
  }
}

void GreedyExecutor::tick_measured(GreedyJob& job, std::uint32_t index) {
  job.ticks_to_measure = 1;  // again, should this one fail
  MeasuredTick measured(facts_, facts_.of(index));
  tick(job);
  job.ticks_to_measure = measured.end();
  finish_tick(job);
  facts_.require_deadlines(index);
}

/// Ticks beside all that a tick has to do with messages and terms; see UrgentTerm.
void GreedyExecutor::execute_urgent(GreedyJob& job, std::uint32_t index, UrgentTerm& urgent) {
  urgent.announce_urgent_tick();
  any_ready_ = true;
  ready_.insert(index);
  tick(job);
}

void GreedyExecutor::execute_observed(GreedyJob& job, std::uint32_t index, bool is_measured) {
  std::optional<MeasuredTick> measured;
  if (is_measured) {
    job.ticks_to_measure = 1;
    measured.emplace(facts_, facts_.of(index));
  }
  const auto after = [&] {
    if (measured) {
      job.ticks_to_measure = measured->end();
    }
    finish_tick(job);
    if (measured) {
      facts_.require_deadlines(index);
    }
  };
  job.guarded = job.guarded && is_guarded(*job.entity);
  const std::uint64_t before = job.guarded ? messages_for(*job.entity) : 0;
  bool goes_on = true;
  try {
    goes_on = observed_.run(*job.entity, job.ticks, {now_, ready_since_}, std::cref(after));
  } catch (const ComponentFailure& failure) {
    if (!job.guarded || !rescue(job, index, failure.failure(), before)) {
      throw;
    }
    return;
  }
  if (goes_on) {
    ready_.insert(index);
  } else {
    finish(job, index);
  }
}

/// What follows the ticks of an entity's codelets when none of them failed.
[[gnu::always_inline]] inline void GreedyExecutor::finish_tick(GreedyJob& job) {
  for (const TermCheck& term : job.terms) {
    if (term.remaining != nullptr) {
      --*term.remaining;
    } else {
      call_site_->set(term.on_execute_site);
      term.term->on_execute(now_);
    }
  }
  for (const GreedyJob::Outlet& outlet : job.outbox) {
    distribute(outlet);
  }
  job.measured.count_tick();
  if (options_.measure) {
    measure(job);
  }
}

void GreedyExecutor::measure(GreedyJob& job) {
  // One reading a tick: the end of one is the beginning of the next.
  const std::uint64_t stamp = counter_.now();
  job.measured.add(stamp - stamp_);
  stamp_ = stamp;
}

[[gnu::always_inline]] inline bool GreedyExecutor::take_in(GreedyJob& job) {
  call_site_->set(job.ticks.front().site);
  bool has_trail = false;
  for (const GreedyJob::Inlet& inlet : job.inbox) {
    if (inlet.ring != nullptr && !inlet.ring->overfull()) {
      inlet.ring->sync();
      has_trail = has_trail || brings_trail(*inlet.ring);
    } else {
      overfull_.sync(*inlet.receiver);
    }
  }
  return has_trail;
}

[[gnu::always_inline]] inline void GreedyExecutor::distribute(const GreedyJob::Outlet& outlet) {
  if (outlet.ring == nullptr) {
    outlet.transmitter->sync();
    while (Message message = outlet.transmitter->pop()) {
      deliver_to_all(outlet, message);
    }
    return;
  }
  while (outlet.ring->total() != 0) {
    const GreedyJob::Target* const only =
        outlet.targets.size() == 1 ? outlet.targets.data() : nullptr;
    if (only != nullptr && only->ring != nullptr && only->ring->has_room()) {
      outlet.ring->hand_over(*only->ring);
      wake(*only);
      continue;
    }
    outlet.ring->sync();
    deliver_to_all(outlet, outlet.ring->pop());
  }
}

void GreedyExecutor::deliver_to_all(const GreedyJob::Outlet& outlet, const Message& message) {
  for (const GreedyJob::Target& target : outlet.targets) {
    deliver(outlet, target, message);
  }
}

void GreedyExecutor::deliver(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target,
                             Message message) {
  if (target.ring == nullptr) {
    deliver_by_call(outlet, target, std::move(message));
    return;
  }
  if (!target.ring->has_room()) {
    deliver_full(outlet, target, std::move(message));
    return;
  }
  target.ring->push(std::move(message));
  wake(target);
}

[[gnu::always_inline]] inline void GreedyExecutor::wake(const GreedyJob::Target& target) noexcept {
  if (target.watcher != kNone) {
    ready_.insert(target.watcher);
  } else {
    message_arrived(*target.receiver);
  }
}

void GreedyExecutor::deliver_by_call(const GreedyJob::Outlet& outlet,
                                     const GreedyJob::Target& target, Message message) {
  try {
    target.receiver->push(std::move(message));
    message_arrived(*target.receiver);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Overflow) {
      throw;
    }
    lose(outlet, target, error.message());
  }
}

void GreedyExecutor::deliver_full(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target,
                                  Message message) {
  if (target.ring->policy() == OverflowPolicy::Fault) {
    lose(outlet, target, full_queue_text(target.ring->capacity()));
    return;
  }
  target.ring->push(std::move(message));
  message_arrived(*target.receiver);
}

void GreedyExecutor::lose(const GreedyJob::Outlet& outlet, const GreedyJob::Target& target,
                          const std::string& why) {
  report_lost_message(instance_, *outlet.transmitter, *target.receiver, why, options_.compat_gxf,
                      target.has_lost);
  EngineAccess::count_lost(*target.receiver);
}

Condition GreedyExecutor::evaluate(GreedyJob& job) {
  Condition all{all_met(job.ranges) ? ConditionType::Ready : ConditionType::Wait, 0};
  for (const TermCheck& term : job.terms) {
    if (term.remaining == nullptr) {
      call_site_->set(term.check_site);
      all = both(all, term.term->check(now_));
    } else if (*term.remaining <= 0) {
      return {ConditionType::Never, 0};
    }
  }
  return all;
}

/// Must the job be looked at again although its ranges say that it waits?
bool GreedyExecutor::may_end(const GreedyJob& job) noexcept {
  for (const TermCheck& term : job.terms) {
    if (term.remaining == nullptr || *term.remaining <= 0) {
      return true;
    }
  }
  return false;
}

void GreedyExecutor::set_state(GreedyJob& job, State state) noexcept {
  if (job.state != state) {
    --in_state_[static_cast<std::size_t>(job.state)];
    ++in_state_[static_cast<std::size_t>(state)];
    job.state = state;
  }
}

void GreedyExecutor::take_due_timers() {
  for (std::uint32_t job = timers_.pop_due(now_, kNone); job != kNone;
       job = timers_.pop_due(now_, kNone)) {
    ready_.insert(job);
  }
}

bool GreedyExecutor::wait_for_something() {
  const std::size_t waiting = in_state_[static_cast<std::size_t>(State::Waiting)];
  const std::size_t parked = in_state_[static_cast<std::size_t>(State::Parked)] +
                             in_state_[static_cast<std::size_t>(State::Held)];
  const std::size_t polled = in_state_[static_cast<std::size_t>(State::Polled)];
  const std::int64_t earliest = timers_.earliest();
  if (parked > 0 && poller_ != nullptr && look_at_gpus(earliest == kForever)) {
    return true;
  }
  if (parked > 0 && !ends_.empty() && look_at_ranks(earliest)) {
    return true;
  }
  if (options_.rest != nullptr && waits_for_ranks(parked, polled)) {
    rest_until(earliest);
    return true;
  }
  const bool only_polls = polled > 0 && timers_.size() == polled && parked == 0 &&
                          limits_.stop_on_deadlock && limits_.patience_ms >= 0;
  if (earliest != kForever && !only_polls) {
    sleep_until(earliest);
    return true;
  }
  if (waiting + parked + polled == 0) {
    return false;
  }
  if (parked > 0 || !limits_.stop_on_deadlock || limits_.patience_ms < 0) {
    // A clock that does not run by itself must not skip what comes from outside: the limit then
    // counts in real time.
    const bool awaits_outside = end_ == kForever || (parked > 0 && !clock_runs_);
    if (!awaits_outside || !block()) {
      sleep_until(kForever);
    }
    return true;
  }
  if (polled > 0 && !std::exchange(has_polled_all_, true)) {
    poll_all();  // the last ticks came behind the last polls
    return true;
  }
  const std::int64_t deadline = saturated_sum(last_ready_, ms_to_ns(limits_.patience_ms));
  if (clock_.timestamp() >= deadline) {
    return false;
  }
  sleep_until(std::min(deadline, earliest));
  return true;
}

/// Can only other ranks give it something to do?
bool GreedyExecutor::waits_for_ranks(std::size_t parked, std::size_t polled) const {
  const auto is_parked = [this](std::uint32_t end) { return jobs_[end].state == State::Parked; };
  return parked > 0 && limits_.stop_on_deadlock && limits_.patience_ms >= 0 &&
         timers_.size() == polled &&
         std::cmp_equal(parked, std::ranges::count_if(ends_, is_parked));
}

void GreedyExecutor::rest_until(std::int64_t earliest) {
  if (in_state_[static_cast<std::size_t>(State::Polled)] > 0 &&
      !std::exchange(has_polled_all_, true)) {
    poll_all();
    return;
  }
  const std::int64_t deadline = saturated_sum(last_ready_, ms_to_ns(limits_.patience_ms));
  if (clock_.timestamp() < deadline) {
    sleep_until(std::min(deadline, earliest));
    return;
  }
  options_.rest->rest(rest_events_);
  if (earliest != kForever || end_ != kForever) {
    sleep_until(earliest);
  } else {
    static_cast<void>(block());
  }
  options_.rest->begin_work();
}

void GreedyExecutor::poll_all() {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].state == State::Polled) {
      ready_.insert(i);
    }
  }
}

/// Looks for a while at what GPUs change, if there is nothing else to come, and then lets the
/// poller do it. True: something was found.
bool GreedyExecutor::look_at_gpus(bool has_time) {
  const bool found = has_time && poller_->poll();
  stamp_ = counter_.now();
  if (!found) {
    poller_->hand_over();
  }
  return found;
}

/// Looks for a while at what other ranks send. True: something was found.
bool GreedyExecutor::look_at_ranks(std::int64_t earliest) {
  const std::int64_t most = earliest == kForever ? kForever
                            : clock_runs_        ? clock_.real_time_until(earliest)
                                                 : 0;
  const bool found = most > 0 && options_.rest->poll(has_notifications_, most);
  stamp_ = counter_.now();
  return found || has_notifications_.load(std::memory_order_acquire);
}

bool GreedyExecutor::has_happened() const noexcept {
  return !notified_.empty() || interrupted() || clock_changed_ || status_.is_asked();
}

/// On something of its own: others may sleep on the clock, too, and must not take what wakes this.
void GreedyExecutor::sleep_until(std::int64_t target) {
  call_site_->set(nullptr);
  // What is due at the end itself still runs.
  target = std::min(target, saturated_sum(end_, 1));
  {
    const std::lock_guard lock(mutex_);
    clock_changed_ = false;
    if (has_happened()) {
      return;
    }
  }
  if (clock_runs_) {
    const std::int64_t left = std::min(clock_.real_time_until(target), kLongestClockWait);
    if (left > timing_.spin) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, std::chrono::nanoseconds(left - timing_.spin),
                        [this] { return has_happened(); });
    }
    spin_until(target);
  } else {
    clock_.sleep_until(target);  // jumps
  }
  stamp_ = counter_.now();
}

/// Waits actively, if the file says so, until the time or until something happens.
void GreedyExecutor::spin_until(std::int64_t target) {
  constexpr int kLooks = 64;  // at the clock, before it is looked whether something has happened
  while (timing_.spin > 0) {
    for (int i = 0; i < kLooks; ++i) {
      if (clock_.real_time_until(target) <= 0) {
        return;
      }
      spin_pause();
    }
    const std::lock_guard lock(mutex_);
    if (has_happened()) {
      return;
    }
  }
}

void GreedyExecutor::clock_changed() noexcept {
  {
    const std::lock_guard lock(mutex_);
    clock_changed_ = true;
  }
  changed_.notify_one();
}

/// A loop on a GPU may always have something, so that nobody waits and the clock stands: then the
/// limit of the run counts in real time, without the cycle in which the entities start.
bool GreedyExecutor::has_stood_for_too_long() noexcept {
  return options_.resident && !clock_runs_ && standing_.left(now_, duration_) < 0;
}

/// Waits for something from outside; false when max_duration_ms of real time passed meanwhile.
bool GreedyExecutor::block() {
  call_site_->set(nullptr);
  std::unique_lock lock(mutex_);
  clock_changed_ = false;
  const auto happened = [this] { return has_happened(); };
  bool in_time = true;
  if (end_ == kForever) {
    changed_.wait(lock, happened);
  } else {
    // The clock may stand still: real time counts from the first time that it stood there.
    const std::int64_t limit = options_.resident ? duration_ : end_ - now_;
    const std::chrono::nanoseconds left(standing_.left(now_, limit));
    in_time = changed_.wait_for(lock, left, happened);
  }
  stamp_ = counter_.now();
  return in_time;
}

void GreedyExecutor::take_notifications() {
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t job : notified_) {
      ready_.insert(job);
    }
    notified_.clear();
    has_notifications_.store(false, std::memory_order_release);
  }
}

RunStatus GreedyExecutor::status(std::chrono::milliseconds patience) {
  const PendingChanges::Knock knock(instance_.changes());  // in long cycles, too
  auto answer = status_.ask(status_frame("one thread"), patience, [this] {
    {
      const std::lock_guard lock(mutex_);
      has_notifications_.store(true, std::memory_order_release);
    }
    changed_.notify_one();
  });
  return answer ? *std::move(answer) : status_frame("one thread, which is in a call");
}

std::uint64_t GreedyExecutor::ticks() noexcept {
  std::uint64_t ticks = 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    ticks += jobs_[i].measured.ticks_so_far();
  }
  return ticks;
}

RunStatus GreedyExecutor::status_frame(const char* executor) {
  RunStatus status;
  status.executor = executor;
  status.entities.reserve(jobs_.size());
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    status.entities.push_back(entity_frame(*jobs_[i].entity, jobs_[i].measured.ticks_so_far()));
    facts_.tell(status.entities.back(), i);
  }
  facts_.tell(status);
  return status;
}

/// A piece of it, if anybody asks.
void GreedyExecutor::answer_status() {
  if (status_.is_asked()) [[unlikely]] {
    status_.go_on([this](EntityStatus& entity, std::size_t index) {
      tell_status(entity, static_cast<std::uint32_t>(index));
    });
    stamp_ = counter_.now();
  }
}

void GreedyExecutor::tell_status(EntityStatus& status, std::uint32_t index) {
  const GreedyJob& job = jobs_[index];
  status.ticks = job.measured.count;
  tell_queues(status, *job.entity);
  if (job.state == State::Fresh || job.state == State::Finished) {
    status.state = job.state == State::Fresh ? EntityState::NotStarted : EntityState::Finished;
    return;
  }
  if (job.state == State::Held) {
    tell_waiting(status, {job.entity->hold});
    return;
  }
  tell_waiting(status, waiting_reasons(*job.entity, instance_, clock_.timestamp()));
  if (!job.terms.empty()) {
    ready_.insert(index);  // a term that was asked may not say the same news again
  }
}

void GreedyExecutor::notify(std::uint32_t entity) {
  const std::uint32_t job = jobs_.of_entity(entity);
  if (job == kNone) {
    return;
  }
  if (std::this_thread::get_id() == thread_.load(std::memory_order_relaxed)) {
    ready_.insert(job);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    notified_.push_back(job);
    has_notifications_.store(true, std::memory_order_release);
  }
  changed_.notify_one();
}

void GreedyExecutor::interrupt(bool by_signal) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (by_signal) {
      interrupted_by_signal_.store(true, std::memory_order_relaxed);
    }
    interrupted_.store(true, std::memory_order_release);
    if (cuts_sleeps_) {
      clock_.cut_sleeps(true);
    }
  }
  changed_.notify_one();
}

void GreedyExecutor::stop_early(Report& report) {
  instance_.announce_early_end();
  stop_all(report);
}

void GreedyExecutor::stop_all(Report& report) {
  list_waiting(report);
  instance_.prepare_stops();
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    stop(jobs_[i], late_stop_failures_);
  }
}

void GreedyExecutor::message_arrived(Receiver& receiver) noexcept {
  for (const std::uint32_t job : jobs_.watchers().arrivals(receiver.component_id())) {
    ready_.insert(job);
  }
}

void GreedyExecutor::space_freed(Receiver& receiver) noexcept {
  if (const std::uint32_t watcher = EngineAccess::watcher(receiver); watcher != kNone) {
    ready_.insert(watcher);
    return;
  }
  for (const std::uint32_t job : jobs_.watchers().spaces(receiver.component_id())) {
    ready_.insert(job);
  }
}

void GreedyExecutor::conclude(Report& report) {
  add_queues(report, instance_);
  collect_statistics(report);
  if (report.reason == EndReason::Completed) {
    const std::size_t finished = in_state_[static_cast<std::size_t>(State::Finished)];
    judge_rest(report, finished, jobs_.size());
    if (options_.rest != nullptr) {
      const std::ptrdiff_t ended = std::ranges::count_if(
          ends_, [this](std::uint32_t end) { return jobs_[end].state == State::Finished; });
      options_.rest->count_finished(finished - static_cast<std::size_t>(ended),
                                    jobs_.size() - ends_.size());
    }
  }
  list_waiting(report);
  tell_end(report);
}

/// Who has been stopped is not listed (again).
void GreedyExecutor::list_waiting(Report& report) {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].state != State::Finished) {
      add_waiting(report, *jobs_[i].entity, instance_, now_);
    }
  }
}

void GreedyExecutor::tell_end(Report& report) {
  report.last_status = status_frame("one thread");
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    const bool has_finished = jobs_[i].state == State::Finished;
    tell_last(report.last_status.entities[i], *jobs_[i].entity, has_finished);
  }
}

void GreedyExecutor::collect_statistics(Report& report) const {
  report.measured = options_.measure;
  const double ns_per_count = options_.measure ? counter_.ns_per_count() : 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    add_statistics(report, *jobs_[i].entity, jobs_[i].measured, ns_per_count);
  }
}

}  // namespace gxr
