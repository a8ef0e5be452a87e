#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

class ClockListener;  // of the engine

/// Time as an application sees it, in nanoseconds.
class GXR_API Clock : public Component {
 public:
  ~Clock() override;

  /// Now, in nanoseconds. Thread-safe.
  [[nodiscard]] virtual std::int64_t timestamp() const = 0;
  /// Now, in seconds.
  [[nodiscard]] double time() const { return static_cast<double>(timestamp()) * 1e-9; }
  /// Blocks until `target` (ns). Returns at once for a target that has passed, and early while
  /// sleeps are cut.
  virtual void sleep_until(std::int64_t target) = 0;
  /// Blocks for `duration` ns of this clock. Throws Error(InvalidArgument) when negative.
  void sleep_for(std::int64_t duration);
  /// Real nanoseconds after which it is worth looking whether `target` has come; 0 when it has.
  /// The default looks at least every millisecond, for clocks that others move and that do not
  /// announce_change().
  [[nodiscard]] virtual std::int64_t real_time_until(std::int64_t target) const;
  /// Does the time move while nobody sleeps? false: sleep_until() moves it, at once.
  [[nodiscard]] virtual bool runs() const noexcept { return true; }
  /// While `on`, no sleep takes more than 10 ms of real time: the run is about to end. Callable
  /// from any thread. A clock that knows nothing of it sleeps on.
  virtual void cut_sleeps(bool on) noexcept;

 protected:
  /// Tells the scheduler that the time was set, or its speed: what real_time_until() has said does
  /// not hold any more. Call without a lock that timestamp() or real_time_until() takes.
  void announce_change() noexcept;

 private:
  friend class EngineAccess;

  std::mutex listener_mutex_;  // guards the next
  ClockListener* listener_ = nullptr;
};

/// Follows the machine's steady clock: time = offset (+ seconds since epoch) + scale x elapsed.
class GXR_API RealtimeClock final : public Clock {
 public:
  RealtimeClock();
  ~RealtimeClock() override;
  void declare(Interface& interface) override;
  void initialize() override;
  [[nodiscard]] std::int64_t timestamp() const override;
  void sleep_until(std::int64_t target) override;
  [[nodiscard]] std::int64_t real_time_until(std::int64_t target) const override;
  void cut_sleeps(bool on) noexcept override;
  /// Changes the speed from now on. Throws Error(InvalidArgument) unless scale > 0.
  void set_time_scale(double scale);

 private:
  Parameter<double> initial_time_offset_;
  Parameter<double> initial_time_scale_;
  Parameter<bool> use_time_since_epoch_;

  // time = pace_time_ + pace_scale_ x (steady clock - pace_start_). Readers take no lock: they read
  // again when the version was odd or has changed meanwhile.
  std::atomic<std::uint32_t> pace_version_{0};
  std::atomic<std::int64_t> pace_start_;
  std::atomic<std::int64_t> pace_time_{0};
  std::atomic<double> pace_scale_{1.0};

  std::mutex mutex_;  // writers of the pace, and the members below
  std::condition_variable changed_;
  bool cut_ = false;  // see cut_sleeps()

  struct Pace {
    std::int64_t start;
    std::int64_t time;
    double scale;
  };
  [[nodiscard]] Pace pace() const noexcept;
  void set_pace(const Pace& pace) noexcept;
};

/// Time that moves only when somebody sleeps on it: a run takes no real time and repeats exactly.
class GXR_API ManualClock final : public Clock {
 public:
  ~ManualClock() override;
  void declare(Interface& interface) override;
  void initialize() override;
  [[nodiscard]] std::int64_t timestamp() const override {
    return now_.load(std::memory_order_acquire);
  }
  void sleep_until(std::int64_t target) override;
  [[nodiscard]] bool runs() const noexcept override { return false; }

 private:
  Parameter<std::int64_t> initial_timestamp_;
  std::atomic<std::int64_t> now_{0};
};

/// Time that somebody else sets: a component, or the program around the application. A sleep ends
/// when the time has been set far enough, and when the application ends.
class GXR_API SyntheticClock final : public Clock {
 public:
  ~SyntheticClock() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  [[nodiscard]] std::int64_t timestamp() const override {
    return now_.load(std::memory_order_acquire);
  }
  void sleep_until(std::int64_t target) override;
  [[nodiscard]] std::int64_t real_time_until(std::int64_t target) const override;
  void cut_sleeps(bool on) noexcept override;

  /// Sets the time, also to an earlier one. Callable from any thread.
  void advance_to(std::int64_t time);
  /// Moves the time by `duration` ns, back when negative. Callable from any thread.
  void advance_by(std::int64_t duration);

 private:
  Parameter<std::int64_t> initial_timestamp_;
  std::atomic<std::int64_t> now_{0};
  std::mutex mutex_;  // writers of now_, and the members below
  std::condition_variable changed_;
  bool cut_ = false;     // see cut_sleeps()
  bool closed_ = false;  // deinitialize() ran: no sleep blocks any more
};

}  // namespace gxr
