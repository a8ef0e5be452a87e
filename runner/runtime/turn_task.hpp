#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "gxr/codelet.hpp"
#include "gxr/report.hpp"
#include "observe/call_site.hpp"

namespace gxr {

struct LiveEntity;

/// A codelet and what to show of its tick().
struct CodeletTick {
  Codelet* codelet = nullptr;
  const CallSite* site = nullptr;
};

/// A moment in which an entity does not tick, on the thread that may tick it.
struct Turn {
  LiveEntity& entity;
  std::span<CodeletTick> ticks;  ///< of its codelets, in their order
  bool has_finished = false;     ///< it will not tick any more
  /// Of an operator in a CUDA graph: has the graph work with the codelet that has taken the place
  /// of another one. Throws when it cannot; then the old one is to be put back, and this called
  /// again.
  std::function<void()> adapt = {};
};

/// Work for the thread that ticks an entity, in a turn of the entity; somebody else waits for it.
/// Thread-safe.
class TurnTask {
 public:
  /// What `work` throws is thrown to who waits. It may set LiveEntity::hold and LiveEntity::broken.
  explicit TurnTask(std::function<void(Turn&)> work) : work_(std::move(work)) {}

  /// Does the work, unless it was withdrawn.
  void run(Turn& turn) noexcept;
  /// Waits until the work is done, and throws what it threw. False when that took too long, or
  /// cancel() came first: nobody will do the work any more.
  [[nodiscard]] bool wait(std::optional<std::chrono::nanoseconds> patience);
  /// Nobody will do the work any more, unless it is done already.
  void cancel() noexcept;

 private:
  enum class State : std::uint8_t { Due, Done, Withdrawn };

  std::mutex mutex_;  // guards the members below; locked while the work is done
  std::condition_variable changed_;
  std::function<void(Turn&)> work_;
  State state_ = State::Due;
  std::exception_ptr failure_;
};

/// Says what becomes of an entity in which a tick has failed.
class TickGuard {
 public:
  TickGuard() = default;
  TickGuard(const TickGuard&) = delete;
  TickGuard& operator=(const TickGuard&) = delete;
  virtual ~TickGuard();

  /// Called in the turn behind the failed tick, which had taken `lost` messages. False: nothing can
  /// be done, and the run fails.
  virtual bool rescue(Turn& turn, const Failure& failure, std::uint64_t lost) = 0;
  /// True: rescue() would return false from now on.
  [[nodiscard]] virtual bool is_over() const noexcept = 0;
};

}  // namespace gxr
