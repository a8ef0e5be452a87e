#include "executors/parallel/work_queues.hpp"

#include <utility>

namespace gxr {

void WorkQueues::Queue::push(std::uint32_t job) {
  const std::lock_guard guard(lock);
  const std::uint32_t size = count.load(std::memory_order_relaxed);
  if (size == slots.size()) {
    std::vector<std::uint32_t> larger(2 * slots.size());
    for (std::uint32_t i = 0; i < size; ++i) {
      larger[i] = slots[(head + i) % size];
    }
    slots.swap(larger);
    head = 0;
  }
  slots[(head + size) & (slots.size() - 1)] = job;
  count.store(size + 1, std::memory_order_release);
}

bool WorkQueues::Queue::pop(std::uint32_t& job) {
  if (count.load(std::memory_order_relaxed) == 0) {
    return false;
  }
  const std::lock_guard guard(lock);
  const std::uint32_t size = count.load(std::memory_order_relaxed);
  if (size == 0) {
    return false;
  }
  job = slots[head];
  head = static_cast<std::uint32_t>((head + 1) & (slots.size() - 1));
  count.store(size - 1, std::memory_order_release);
  return true;
}

WorkQueues::WorkQueues(Shape shape, std::function<void()> at_rest)
    : shape_(shape),
      at_rest_(std::move(at_rest)),
      queues_(std::make_unique<Queue[]>(shape.common + shape.bound)),
      sleepers_(std::make_unique<Sleeper[]>(shape.common + shape.bound)) {}

void WorkQueues::push_own(std::uint32_t worker, std::uint32_t job) {
  // Nobody is woken: the caller takes the job itself, and wakes others if more are left then. A
  // bound worker's own queue is not shared.
  queues_[worker % shape_.common].push(job);
}

void WorkQueues::push(std::uint32_t job, std::uint32_t bound) {
  queue({job, bound});
  std::atomic_thread_fence(std::memory_order_seq_cst);  // see sleep()
  wake_for({job, bound});
}

void WorkQueues::push_together(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    queue(job);
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // see sleep()
  for (const Job& job : jobs) {
    wake_for(job);
  }
}

void WorkQueues::queue(Job job) {
  const std::uint32_t target =
      job.bound != kAnyWorker ? job.bound
                              : next_queue_.fetch_add(1, std::memory_order_relaxed) % shape_.common;
  queues_[target].push(job.number);
}

/// Wakes a worker for a job that is queued, if one sleeps that may take it.
void WorkQueues::wake_for(Job job) {
  if (look_) {
    stops_look_.store(true, std::memory_order_relaxed);
  }
  if (asleep_.load() == 0) {
    return;
  }
  if (job.bound != kAnyWorker) {
    wake(job.bound);
  } else {
    wake_one();
  }
}

std::uint32_t WorkQueues::take(std::uint32_t worker) {
  std::uint32_t job = kStop;
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (find(worker, job) || spin(worker, job)) {
      return job;
    }
    if (look_ && look(worker)) {
      continue;
    }
    sleep(worker);
  }
  return kStop;
}

bool WorkQueues::find(std::uint32_t worker, std::uint32_t& job) {
  // Now and then others' jobs come first, which may lie behind a tick that takes long.
  constexpr std::uint32_t kTurns = 32;
  const bool others_first = ++queues_[worker].turns % kTurns == 0;
  if (!(others_first && steal(worker, job)) && !queues_[worker].pop(job) && !steal(worker, job)) {
    return false;
  }
  // What is left must not wait until this job has been run.
  if (asleep_.load() > 0 && may_share(worker) &&
      queues_[worker % shape_.common].count.load(std::memory_order_relaxed) > 0) {
    wake_one();
  }
  return true;
}

bool WorkQueues::steal(std::uint32_t worker, std::uint32_t& job) {
  if (!may_share(worker)) {
    return false;
  }
  const std::uint32_t first = worker + ++queues_[worker].steals;
  for (std::uint32_t i = 0; i < shape_.common; ++i) {
    const std::uint32_t victim = (first + i) % shape_.common;
    if (victim != worker && queues_[victim].pop(job)) {
      if (queues_[victim].count.load(std::memory_order_relaxed) > 0 && asleep_.load() > 0) {
        wake_one();
      }
      return true;
    }
  }
  return false;
}

/// Workers that run jobs may push more of them soon: to fall asleep and to be woken costs some
/// microseconds. Workers that spin have nothing to push, so that none spins for another one.
bool WorkQueues::spin(std::uint32_t worker, std::uint32_t& job) {
  constexpr int kRounds = 100;
  const auto others_run = [this] { return asleep_.load() + spinning_.load() < workers(); };
  spinning_.fetch_add(1);
  bool found = false;
  for (int i = 0; i < kRounds && !found && others_run() && !stopping_.load(); ++i) {
    for (int pause = 0; pause < 8; ++pause) {
      spin_pause();
    }
    found = has_work(worker) && find(worker, job);
  }
  spinning_.fetch_sub(1);
  return found;
}

bool WorkQueues::has_work(std::uint32_t worker) const noexcept {
  if (queues_[worker].count.load() > 0) {
    return true;
  }
  for (std::uint32_t i = 0; may_share(worker) && i < shape_.common; ++i) {
    if (queues_[i].count.load() > 0) {
      return true;
    }
  }
  return false;
}

bool WorkQueues::anything_queued() const noexcept {
  for (std::uint32_t i = 0; i < shape_.common + shape_.bound; ++i) {
    if (queues_[i].count.load() > 0) {
      return true;
    }
  }
  return false;
}

/// True: there may be something to do.
bool WorkQueues::look(std::uint32_t worker) {
  if (asleep_.load() + 1 < workers()) {
    return false;
  }
  stops_look_.store(false);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // as in sleep()
  return has_work(worker) || stopping_.load() || look_(stops_look_) || has_work(worker);
}

void WorkQueues::sleep(std::uint32_t worker) {
  bool last = false;
  {
    std::unique_lock lock(mutex_);
    Sleeper& sleeper = sleepers_[worker];
    sleeper.asleep = true;
    // Who pushes after this sees a sleeper; who pushed before is seen here.
    const std::uint32_t asleep = asleep_.fetch_add(1) + 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    last = asleep == workers() && !anything_queued();
    if (has_work(worker) || stopping_.load()) {
      sleeper.asleep = false;
      asleep_.fetch_sub(1);
      return;
    }
    if (!last) {
      sleeper.woken.wait(lock, [&] { return !sleeper.asleep; });
      return;
    }
  }
  at_rest_();
  std::unique_lock lock(mutex_);
  Sleeper& sleeper = sleepers_[worker];
  sleeper.woken.wait(lock, [&] { return !sleeper.asleep; });
}

void WorkQueues::wake_one() {
  std::unique_lock lock(mutex_);
  for (std::uint32_t i = 0; i < workers(); ++i) {
    if (sleepers_[i].asleep && may_share(i)) {
      return wake(i, lock);
    }
  }
}

void WorkQueues::wake(std::uint32_t worker) {
  std::unique_lock lock(mutex_);
  if (sleepers_[worker].asleep) {
    wake(worker, lock);
  }
}

/// Wakes one that sleeps. Gives the lock back first, which it needs.
void WorkQueues::wake(std::uint32_t worker, std::unique_lock<std::mutex>& lock) {
  sleepers_[worker].asleep = false;
  asleep_.fetch_sub(1);
  lock.unlock();
  sleepers_[worker].woken.notify_one();
}

bool WorkQueues::is_at_rest() {
  const std::lock_guard lock(mutex_);
  return asleep_.load() == workers() && !anything_queued();
}

void WorkQueues::stop() {
  stopping_.store(true);
  stops_look_.store(true);
  const std::lock_guard lock(mutex_);
  for (std::uint32_t i = 0; i < workers(); ++i) {
    if (sleepers_[i].asleep) {
      sleepers_[i].asleep = false;
      asleep_.fetch_sub(1);
      sleepers_[i].woken.notify_one();
    }
  }
}

}  // namespace gxr
