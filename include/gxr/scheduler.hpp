#pragma once

#include <cstdint>
#include <optional>

#include "gxr/clock.hpp"
#include "gxr/component.hpp"

namespace gxr {

/// Part of the machinery that runs an application, as opposed to its work.
class GXR_API System : public Component {
 public:
  ~System() override;
};

/// Declares how the entities of an application are run. The engine reads the parameters and brings
/// the executor.
class GXR_API Scheduler : public System {
 public:
  ~Scheduler() override;
  /// The clock that the application runs by; may be null.
  [[nodiscard]] virtual Clock* clock() const = 0;
};

/// One thread; entities tick in the order of the YAML.
class GXR_API GreedyScheduler final : public Scheduler {
 public:
  ~GreedyScheduler() override;
  void declare(Interface& interface) override;
  [[nodiscard]] Clock* clock() const override;

  [[nodiscard]] const std::optional<bool>& realtime() const { return realtime_.try_get(); }
  [[nodiscard]] const std::optional<std::int64_t>& max_duration_ms() const {
    return max_duration_ms_.try_get();
  }
  [[nodiscard]] bool stop_on_deadlock() const { return stop_on_deadlock_.get(); }
  [[nodiscard]] double check_recession_period_ms() const {
    return check_recession_period_ms_.get();
  }
  [[nodiscard]] std::int64_t stop_on_deadlock_timeout() const {
    return stop_on_deadlock_timeout_.get();
  }

 private:
  Parameter<Handle<Clock>> clock_;
  Parameter<bool> realtime_;
  Parameter<std::int64_t> max_duration_ms_;
  Parameter<bool> stop_on_deadlock_;
  Parameter<double> check_recession_period_ms_;
  Parameter<std::int64_t> stop_on_deadlock_timeout_;
};

}  // namespace gxr
