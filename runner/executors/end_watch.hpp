#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "device/unfinished_work.hpp"

namespace gxr {

/// Judges from what is unfinished whether work of GPUs hangs: some of it is under way, and none of
/// it has ended for too long.
class EndProgress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit EndProgress(std::chrono::nanoseconds longest) : longest_(longest) {}

  /// Does it hang? To be called now and then, with a time that grows. Loops end by themselves or
  /// are given up by their regions: for this only their progress counts.
  [[nodiscard]] bool hangs(const std::vector<UnfinishedWork>& unfinished, Clock::time_point now);

 private:
  std::chrono::nanoseconds longest_;
  std::vector<UnfinishedWork> seen_;
  Clock::time_point stands_since_;  // at that
};

/// The one limit for GPU work of others at the end of a run. From begin() on, a thread asks for all
/// unfinished work of the process; work that makes no progress for too long is given up, so that
/// the executor, allocators and streams do not wait for it any more. Until then they wait as long
/// as it takes. Memory that would have to wait inside CUDA is held back meanwhile.
class EndWatch {
 public:
  /// Questions and orders to the GPUs. Thread-safe; the first may not return while CUDA is blocked.
  struct Gpus {
    std::function<std::vector<UnfinishedWork>(UnfinishedWork::Scope)> unfinished;
    std::function<std::string()> users;  ///< whose work that may be; empty: nobody's
    std::function<void(const UnfinishedWork&, const std::string& why)> give_up;
    std::function<void()> hold_frees;
    std::function<void()> let_frees_go;
  };
  /// Ends the process when the run does not end although its work was given up.
  using Abandon = std::function<void(const std::string& why)>;

  /// `longest` 0: nothing is ever given up.
  explicit EndWatch(std::chrono::nanoseconds longest) : longest_(longest) {}
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;
  ~EndWatch() { end(); }

  /// Called `grace` after work was given up, if end() has not been called by then. Call before
  /// begin().
  void set_abandon(Abandon abandon, std::chrono::nanoseconds grace);
  /// The run is to end before all its work is done. Only the first call counts, and none behind
  /// end(). Any thread.
  void begin(Gpus gpus) noexcept;
  /// If it has begun, returns when all work in `scope` that the process has now is done, or has
  /// been given up.
  void settle(UnfinishedWork::Scope scope) noexcept;
  /// Nothing is given up any more when this returns. Any thread.
  void end() noexcept;
  /// How the work hangs that was given up; empty: none was. Any thread.
  [[nodiscard]] std::string hang() const;

 private:
  /// The answers that the asking thread gives the others. They may outlive the watch: CUDA may
  /// never return from its call.
  struct Answers {
    std::mutex mutex;  // guards the members below
    std::condition_variable changed;
    std::vector<UnfinishedWork> unfinished;
    std::uint64_t count = 0;
    UnfinishedWork::Scope scope = UnfinishedWork::Scope::Streams;  // of the next question
    bool over = false;      // the device has failed, or nobody judges any more
    bool ending = false;    // nobody asks any more
    bool has_left = false;  // the thread
    std::string hang;
  };
  static void ask(
      const std::shared_ptr<Answers>& answers,
      const std::function<std::vector<UnfinishedWork>(UnfinishedWork::Scope)>& unfinished) noexcept;
  void judge() noexcept;
  void judge_until_end();
  void let_frees_go() noexcept;
  void give_up(std::unique_lock<std::mutex>& lock, const std::string& how);

  std::chrono::nanoseconds longest_;
  Abandon abandon_;
  std::chrono::nanoseconds grace_{0};
  std::mutex mutex_;  // guards the members below
  bool has_begun_ = false;
  bool has_ended_ = false;
  Gpus gpus_;  // set once
  std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
  std::thread asker_;
  std::thread judge_;
};

}  // namespace gxr
