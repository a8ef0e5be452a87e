// What the workers do; for the thread of run() see parallel_executor_run.cpp.

#include "executors/parallel/parallel_executor.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "executors/exchange_turn.hpp"
#include "executors/lost_message.hpp"
#include "executors/parallel/hold_back.hpp"
#include "executors/rest_watch.hpp"
#include "gxr/error.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/waiting_messages.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// The job whose entity this thread ticks.
thread_local const ParallelJob* ticking_job = nullptr;

}  // namespace

/// A thread that runs jobs.
struct ParallelExecutor::Worker {
  std::uint32_t number;
  bool shares;              ///< takes jobs that any worker may run
  CallSiteSlot* call_site;  ///< this thread's marker
};

ParallelExecutor::ParallelExecutor(Instance& instance, Clock& clock, ParallelOptions shape,
                                   ExecutorOptions options)
    : instance_(instance),
      clock_(clock),
      shape_(std::move(shape)),
      options_(options),
      jobs_(instance),
      facts_(instance, clock, options.rest),
      observed_(instance, options),
      queues_({std::max(shape_.workers, 1U), static_cast<std::uint32_t>(shape_.pinned.size()),
               shape_.strict_pinning},
              [this] { come_to_rest(); }),
      clock_runs_(clock.runs()),
      overfull_(options.compat_gxf),
      set_up_(threads_to_set_up()),
      timers_(jobs_.size()) {
  due_.reserve(jobs_.size());
  bool has_ends = false;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    jobs_[i].observed = observed_.needed_for(*jobs_[i].entity);
    jobs_[i].guarded = is_guarded(*jobs_[i].entity);
    jobs_[i].is_end = options_.rest != nullptr && options_.rest->is_end(jobs_[i].entity->id);
    has_ends = has_ends || jobs_[i].is_end;
  }
  if (has_ends) {
    queues_.set_look(
        [this](const std::atomic<bool>& stop) { return options_.rest->poll(stop, kForever); });
  }
  const std::uint32_t common = std::max(shape_.workers, 1U);
  for (std::uint32_t i = 0; i < shape_.pinned.size(); ++i) {
    if (const std::uint32_t job = jobs_.of_entity(shape_.pinned[i]); job != kNone) {
      jobs_[job].worker = common + i;
    }
  }
}

ParallelExecutor::~ParallelExecutor() = default;

std::size_t ParallelExecutor::messages_in(const Receiver& receiver) const {
  const Inbox* const inbox = jobs_.inbox_of(receiver);
  return inbox != nullptr ? inbox->total() : waiting_in(receiver);
}

void ParallelExecutor::work(std::uint32_t number) {
  Worker worker{number, queues_.may_share(number), &call_site_slot()};
  if (options_.trace != nullptr) {
    options_.trace->use_track(*tracks_[number]);
  }
  set_up_thread(number);
  may_work_.wait();
  for (std::uint32_t job = queues_.take(number); job != WorkQueues::kStop;
       job = queues_.take(number)) {
    try {
      look_at(worker, job);
    } catch (...) {
      const CallSite unknown{"run", {}, {}, {}};
      const CallSite* const site = worker.call_site->get();
      fail(site != nullptr ? *site : unknown);
    }
    worker.call_site->set(nullptr);
    ticking_job = nullptr;
  }
  {
    const std::lock_guard lock(mutex_);
    ++finished_workers_;
  }
  changed_.notify_all();
}

/// A refusal fails the run before anything ticks.
void ParallelExecutor::set_up_thread(std::uint32_t number) noexcept {
  if (number >= shape_.threads.size()) {
    return;
  }
  const ThreadSettings& settings = shape_.threads[number];
  try {
    apply(settings);
  } catch (...) {
    fail(settings.declared_by != nullptr ? instance_.site(*settings.declared_by, "thread")
                                         : CallSite{"thread", {}, {}, {}});
  }
  if (settings.can_fail()) {
    set_up_.count_down();
  }
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

bool ParallelExecutor::is_due(const Condition& condition, std::int64_t now) noexcept {
  return condition.type == ConditionType::Ready ||
         (condition.type == ConditionType::WaitTime && condition.target <= now);
}

/// One step of an entity. True when it is to be looked at again without an event.
bool ParallelExecutor::advance(Worker& worker, ParallelJob& job, std::uint32_t index) {
  const std::int64_t now = clock_.timestamp();
  if (instance_.changes().any()) [[unlikely]] {
    see_to_outside(worker, job, index);
  }
  if (job.held) [[unlikely]] {
    return false;
  }
  if (!job.entity->started) {
    return start(job, index, now);
  }
  if (job.has_urgent && tick_if_urgent(worker, job, index, now)) [[unlikely]] {
    return true;
  }
  const Condition condition = evaluate(worker, job, now);
  if (!is_due(condition, now)) {
    rest_until(condition, worker, job, index, now);
    return false;
  }
  if (!job.unguarded.empty() && gives_way(job)) {
    return true;
  }
  if (!job.claims.empty() && !claim_room(worker, job)) {
    set_rest(job, index, Rest::Event);
    return false;
  }
  facts_.note_time(index, condition.target);
  job.ready_since = condition.target > 0 ? std::min(condition.target, now) : now;
  set_rest(job, index, Rest::Event);
  ticking_job = &job;
  const bool goes_on = tick(worker, job, index, now);
  ticking_job = nullptr;
  release_room(worker, job.claims);
  if (goes_on) {
    return goes_on_at_once(worker, job, index);
  }
  set_rest(job, index, Rest::Finished);
  stop(&worker, job, now);
  return false;
}

/// Behind a tick: is the entity to be queued again? One that is not due is not, so that no other
/// worker is woken for it.
bool ParallelExecutor::goes_on_at_once(Worker& worker, ParallelJob& job, std::uint32_t index) {
  const bool may_rest = !job.held && job.entity->started && !job.has_urgent;
  if (!may_rest || instance_.changes().any()) [[unlikely]] {
    return true;  // advance() sees to all of that
  }
  if (job.terms.empty()) {
    return all_met(job.ranges);
  }
  const std::int64_t now = clock_.timestamp();
  const Condition condition = evaluate(worker, job, now);
  if (is_due(condition, now)) {
    return true;
  }
  rest_until(condition, worker, job, index, now);
  return false;
}

/// Notes what an entity that is not due waits for.
void ParallelExecutor::rest_until(const Condition& condition, Worker& worker, ParallelJob& job,
                                  std::uint32_t index, std::int64_t now) {
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
      set_rest(job, index,
               job.polling.period == 0   ? Rest::Event
               : job.polling.keeps_alive ? Rest::Time
                                         : Rest::Poll);
      if (job.polling.period > 0) {
        set_timer(index, saturated_sum(now, job.polling.period));
      }
      break;
  }
}

/// Somebody outside has changed something, or works in a turn of the entity.
void ParallelExecutor::see_to_outside(Worker& worker, ParallelJob& job, std::uint32_t index) {
  if (!has_turn_to_take(instance_, *job.entity)) {
    return;
  }
  Turn turn{*job.entity, job.ticks, job.rest == Rest::Finished && !job.entity->started};
  take_turn(instance_, turn);
  follow_turn(worker, job, index);
}

/// What a turn has left behind.
void ParallelExecutor::follow_turn(Worker& worker, ParallelJob& job, std::uint32_t index) {
  job.guarded = is_guarded(*job.entity);
  if (!job.entity->hold.empty()) {
    job.held = true;
    set_rest(job, index, Rest::Outside);
  } else if (job.held) {
    job.held = false;
    set_rest(job, index, Rest::Event);
    for (const ParallelJob::Outlet& outlet : job.outbox) {
      distribute(&worker, outlet);  // what start() published
    }
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
  starts_.fetch_add(1);
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
  if (failures.empty()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    stop_failures_.insert(stop_failures_.end(), failures.begin(), failures.end());
  }
  if (!options_.compat_gxf) {
    stop_for_failure();
  }
}

Condition ParallelExecutor::evaluate(Worker& worker, ParallelJob& job, std::int64_t now) {
  // Terms of other kinds read the receivers themselves, and a receiver of another kind may not keep
  // what arrives.
  if (!job.terms.empty() || job.own_receivers) {
    take_in_for_terms(worker, job);
  }
  Condition all{all_met(job.ranges) ? ConditionType::Ready : ConditionType::Wait, 0};
  for (const TermCheck& term : job.terms) {
    if (term.remaining == nullptr) {
      worker.call_site->set(term.check_site);
      all = both(all, term.term->check(now));
    } else if (*term.remaining <= 0) {
      return {ConditionType::Never, 0};
    }
  }
  return all;
}

/// Terms of several senders may see the same free place at the same time. False: another sender has
/// it; a consumer, or that sender, wakes the entity.
bool ParallelExecutor::claim_room(Worker& worker, const ParallelJob& job) {
  for (std::size_t i = 0; i < job.claims.size(); ++i) {
    if (!job.claims[i].inbox->claim(job.claims[i].messages)) {
      release_room(worker, std::span(job.claims).first(i));
      return false;
    }
  }
  return true;
}

void ParallelExecutor::release_room(Worker& worker, std::span<const ParallelJob::Claim> claims) {
  for (const auto& [inbox, messages] : claims) {
    if (inbox->release(messages)) {
      for (const std::uint32_t watcher :
           jobs_.watchers().spaces(inbox->receiver().component_id())) {
        wake(&worker, watcher);
      }
    }
  }
}

/// False when the entity has finished, which only a Controller can decide here.
bool ParallelExecutor::tick(Worker& worker, ParallelJob& job, std::uint32_t index,
                            std::int64_t now) {
  const std::uint64_t begin = options_.measure ? counter_.now() : 0;
  take_in(worker, job);
  EntityTimes& times = facts_.of(index);
  std::optional<MeasuredTick> measured;
  if (--job.ticks_to_measure == 0 || times.brings_trail()) {
    job.ticks_to_measure = 1;  // again, should this one fail
    measured.emplace(facts_, times);
  }
  const auto after = [&] {
    if (measured) {
      job.ticks_to_measure = measured->end();
    }
    finish_tick(worker, job, now);
    if (measured) {
      facts_.require_deadlines(index);
    }
  };
  bool goes_on = true;
  if (job.observed || job.guarded) {
    goes_on = tick_observed(worker, job, index, now, std::cref(after));
  } else {
    for (const CodeletTick& tick : job.ticks) {
      worker.call_site->set(tick.site);
      EngineAccess::begin_tick(*tick.codelet, now);
      tick.codelet->tick();
    }
    after();
  }
  if (options_.measure) {
    job.measured.add(counter_.now() - begin);
  }
  return goes_on;
}

/// Where a failing tick can be rescued, the run goes on.
bool ParallelExecutor::tick_observed(Worker& worker, ParallelJob& job, std::uint32_t index,
                                     std::int64_t now, const std::function<void()>& after) {
  job.guarded = job.guarded && is_guarded(*job.entity);
  const std::uint64_t before = job.guarded ? messages_for(*job.entity) : 0;
  bool goes_on = true;
  try {
    goes_on = observed_.run(*job.entity, job.ticks, {now, job.ready_since}, after);
  } catch (const ComponentFailure& failure) {
    Turn turn{*job.entity, job.ticks};
    if (!job.guarded || !rescue_tick(instance_, turn, failure.failure(), before)) {
      throw;
    }
    follow_turn(worker, job, index);
  }
  settle(worker, job);
  return goes_on;
}

void ParallelExecutor::take_in_for_terms(Worker& worker, ParallelJob& job) {
  worker.call_site->set(job.ticks.front().site);
  for (const ParallelJob::Inlet& inlet : job.inbox) {
    if (inlet.inbox != nullptr) {
      inlet.inbox->take_in();
    }
  }
}

/// Such a tick is beside all that a tick has to do with messages and terms; see UrgentTerm. False:
/// no term is urgent.
bool ParallelExecutor::tick_if_urgent(Worker& worker, ParallelJob& job, std::uint32_t index,
                                      std::int64_t now) {
  take_in_for_terms(worker, job);
  UrgentTerm* const urgent = find_urgent(job.terms, *worker.call_site);
  if (urgent == nullptr) {
    return false;
  }
  set_rest(job, index, Rest::Event);
  urgent->announce_urgent_tick();
  for (const CodeletTick& tick : job.ticks) {
    worker.call_site->set(tick.site);
    EngineAccess::begin_tick(*tick.codelet, now);
    tick.codelet->tick();
  }
  return true;
}

void ParallelExecutor::take_in(Worker& worker, ParallelJob& job) {
  worker.call_site->set(job.ticks.front().site);
  for (const ParallelJob::Inlet& inlet : job.inbox) {
    if (inlet.inbox != nullptr) {
      inlet.inbox->sync(overfull_);
    } else {
      overfull_.sync(*inlet.receiver);
    }
  }
  job.took_in.store(true, std::memory_order_release);
}

void ParallelExecutor::finish_tick(Worker& worker, ParallelJob& job, std::int64_t now) {
  for (const TermCheck& term : job.terms) {
    if (term.remaining != nullptr) {
      --*term.remaining;
    } else {
      worker.call_site->set(term.on_execute_site);
      term.term->on_execute(now);
    }
  }
  settle(worker, job);
  for (const ParallelJob::Outlet& outlet : job.outbox) {
    distribute(&worker, outlet);
  }
  job.measured.count_tick();
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
    report_lost_message(instance_, *outlet.transmitter, *target.receiver,
                        full_queue_text(target.inbox->capacity()), options_.compat_gxf,
                        target.has_lost);
    EngineAccess::count_lost(*target.receiver);
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
    report_lost_message(instance_, *outlet.transmitter, *target.receiver, error.message(),
                        options_.compat_gxf, target.has_lost);
    EngineAccess::count_lost(*target.receiver);
    return false;
  }
}

void ParallelExecutor::set_rest(ParallelJob& job, std::uint32_t index, Rest rest) {
  if (job.rest == rest) {
    return;
  }
  if (job.rest == Rest::Time || job.rest == Rest::Poll) {
    const std::lock_guard lock(timers_mutex_);
    timers_.cancel(index);
  }
  if (job.rest == Rest::Poll) {
    activity_.fetch_add(1, std::memory_order_relaxed);  // a poll that led to something
  }
  const auto count = [&](Rest kind, std::atomic<std::uint32_t>& jobs) {
    if (job.rest == kind) {
      jobs.fetch_sub(1);
    } else if (rest == kind) {
      jobs.fetch_add(1);
    }
  };
  count(Rest::Poll, polled_);
  count(Rest::Outside, outside_);
  if (job.is_end) {
    count(Rest::Outside, ends_);
  }
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
  if (turn_to_queued(index)) {
    enqueue(worker, index);
  }
}

/// True when the caller has to queue the job: nobody runs it, and it is in no queue.
bool ParallelExecutor::turn_to_queued(std::uint32_t index) {
  std::atomic<State>& state = jobs_[index].state;
  State seen = state.load();
  for (;;) {
    switch (seen) {
      case State::Idle:
        if (state.compare_exchange_weak(seen, State::Queued)) {
          return true;
        }
        break;
      case State::Running:
        if (state.compare_exchange_weak(seen, State::Again)) {
          return false;
        }
        break;
      case State::Queued:
      case State::Again:
        // Written although nothing changes: whoever turns the state to Running reads this, and so
        // sees what the caller did before. A mere load may be done before that is visible.
        if (state.compare_exchange_weak(seen, seen)) {
          return false;
        }
        break;
    }
  }
}

void ParallelExecutor::enqueue(Worker* worker, std::uint32_t index) {
  const std::uint32_t bound = jobs_[index].worker;
  if (worker != nullptr && worker->shares && bound == WorkQueues::kAnyWorker) {
    queues_.push_own(worker->number, index);
  } else {
    activity_.fetch_add(1, std::memory_order_relaxed);
    queues_.push(index, bound);
  }
}

void ParallelExecutor::fail(const CallSite& site) noexcept {
  try {
    Failure failure = current_failure(site);
    const std::lock_guard lock(mutex_);
    failures_.push_back(std::move(failure));
  } catch (...) {
    failed_without_words_.store(true);  // there is no memory
  }
  stop_for_failure();
}

void ParallelExecutor::stop_for_failure() noexcept {
  failed_.store(true);
  queues_.stop();
  alert();
}

void ParallelExecutor::notify(std::uint32_t entity) {
  const std::uint32_t job = jobs_.of_entity(entity);
  // goes_on_at_once() follows a tick of the entity itself, and sees what that has changed.
  if (job != kNone && &jobs_[job] != ticking_job) {
    // Also from inside a tick, which may go on for long: others may take the job at once.
    wake(nullptr, job);
  }
}

}  // namespace gxr
