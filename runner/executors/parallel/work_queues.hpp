#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "system/spin_lock.hpp"

namespace gxr {

/// Jobs that are to be looked at, a queue for each worker thread: a worker takes its own jobs in
/// the order they came, then steals, then sleeps. Some workers are bound to the jobs given to them.
class WorkQueues {
 public:
  static constexpr std::uint32_t kStop = 0xffffffffU;
  static constexpr std::uint32_t kAnyWorker = 0xffffffffU;

  struct Shape {
    std::uint32_t common;  ///< workers that share their jobs; numbers 0 … common - 1
    std::uint32_t bound;   ///< workers with jobs of their own, numbered behind them
    bool strict;           ///< bound workers take no common jobs
  };
  /// `at_rest` is called by the last worker that falls asleep, when nothing is queued.
  WorkQueues(Shape shape, std::function<void()> at_rest);

  /// Called by the last worker that is awake before it falls asleep; it looks for a while at what
  /// comes from elsewhere, until its argument is true. True: it has pushed something. Set it before
  /// any worker runs.
  using Look = std::function<bool(const std::atomic<bool>& stop)>;
  void set_look(Look look) { look_ = std::move(look); }

  [[nodiscard]] std::uint32_t workers() const noexcept { return shape_.common + shape_.bound; }
  /// Does this worker take common jobs?
  [[nodiscard]] bool may_share(std::uint32_t worker) const noexcept {
    return worker < shape_.common || !shape_.strict;
  }

  /// Called by a worker that takes common jobs, between two of its jobs, for a job that any worker
  /// may run.
  void push_own(std::uint32_t worker, std::uint32_t job);
  /// Called by any thread; `bound` names the only worker for it.
  void push(std::uint32_t job, std::uint32_t bound = kAnyWorker);
  struct Job {
    std::uint32_t number;
    std::uint32_t bound;  ///< as in push()
  };
  /// Pushes all before it wakes a worker: a single worker that sleeps takes them in this order,
  /// with what the first ones lead to behind the last one. Any thread.
  void push_together(std::span<const Job> jobs);
  /// The next job for this worker; sleeps until there is one. kStop after stop().
  std::uint32_t take(std::uint32_t worker);
  /// Are all workers asleep with nothing queued?
  [[nodiscard]] bool is_at_rest();
  /// All take() return kStop from now on. Any thread.
  void stop();

 private:
  /// A ring that grows.
  struct alignas(64) Queue {
    SpinLock lock;
    std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(64);
    std::uint32_t head = 0;
    std::atomic<std::uint32_t> count{0};  // written with the lock held
    std::uint32_t turns = 0;              // of the worker, who alone touches it
    std::uint32_t steals = 0;             // likewise

    void push(std::uint32_t job);
    bool pop(std::uint32_t& job);
  };
  struct Sleeper {
    std::condition_variable woken;
    bool asleep = false;
  };

  bool find(std::uint32_t worker, std::uint32_t& job);
  bool steal(std::uint32_t worker, std::uint32_t& job);
  bool spin(std::uint32_t worker, std::uint32_t& job);
  bool look(std::uint32_t worker);
  void sleep(std::uint32_t worker);
  [[nodiscard]] bool has_work(std::uint32_t worker) const noexcept;
  [[nodiscard]] bool anything_queued() const noexcept;
  void queue(Job job);
  void wake_for(Job job);
  void wake_one();
  void wake(std::uint32_t worker);
  void wake(std::uint32_t worker, std::unique_lock<std::mutex>& lock);

  const Shape shape_;
  const std::function<void()> at_rest_;
  std::unique_ptr<Queue[]> queues_;  // by worker
  std::atomic<std::uint32_t> next_queue_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint32_t> asleep_{0};  // written with mutex_ held
  std::atomic<std::uint32_t> spinning_{0};
  Look look_;
  std::atomic<bool> stops_look_{false};

  std::mutex mutex_;  // guards sleepers_
  std::unique_ptr<Sleeper[]> sleepers_;
};

}  // namespace gxr
