#pragma once

#include <atomic>

#include <gxr/gxr.hpp>

namespace guide {

/// Lets its entity tick once for every ring, and ends it after the last one.
class Doorbell final : public gxr::SchedulingTerm {
 public:
  /// Callable from any thread.
  void ring() {
    ++rings_;
    context().notify(*this);
  }
  void remove() {
    removed_ = true;
    context().notify(*this);
  }

  gxr::Condition check(std::int64_t) override {
    if (rings_ > 0) {
      return {gxr::ConditionType::Ready, 0};
    }
    return {removed_ ? gxr::ConditionType::Never : gxr::ConditionType::WaitEvent, 0};
  }
  void on_execute(std::int64_t) override { --rings_; }
  void events(gxr::TermEvents& events) override { events.notification(); }
  [[nodiscard]] std::string explain() const override { return "waits for somebody to ring"; }

 private:
  std::atomic<int> rings_{0};
  std::atomic<bool> removed_{false};
};

}  // namespace guide
