#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "executors/codelet_exchange.hpp"
#include "gxr/report.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Makes codelets anew whose ticks have failed, as `on_failure` of their entities says, on a thread
/// of its own. Their entities are held meanwhile.
class Restarts {
 public:
  /// Refers to both.
  Restarts(const Plan& plan, CodeletExchange& exchange) : plan_(plan), exchange_(exchange) {}
  Restarts(const Restarts&) = delete;
  Restarts& operator=(const Restarts&) = delete;
  /// After end().
  ~Restarts() = default;

  /// Before the entities tick. Throws ComponentFailure for an entity of a CUDA graph, and
  /// Error(OutOfMemory) when there is no thread.
  void begin(Instance& instance);
  /// Makes nothing anew any more. Any thread but its own, several times.
  void end() noexcept;

 private:
  class Guard;
  /// A codelet that is to be made anew.
  struct Due {
    std::int64_t at = 0;  // steady ns
    std::shared_ptr<Guard> guard;
    ComponentId component = kNone;
    bool is_stopped = false;
  };

  static constexpr std::int64_t kLongestWait = 3'600'000'000'000;

  void require_no_graph() const;
  void add(Due due);
  void work();
  bool wait_for_due(Due& due);
  void restart(Due due);
  void stop_old(Due& due);
  void give_up(const Due& due, const Failure& failure);

  const Plan& plan_;
  CodeletExchange& exchange_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<Due> due_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace gxr
