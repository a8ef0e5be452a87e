#pragma once

#include <cstdint>

#include <gxr/gxr.hpp>

namespace guide {

/// Ends its entity after some ticks.
class Budget final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(ticks_, "ticks", "Ticks after which the entity has finished").minimum(0);
    interface.limits_ticks("ticks");  // says what the functions below do
  }

  gxr::Condition check(std::int64_t) override {
    return {done_ < *ticks_ ? gxr::ConditionType::Ready : gxr::ConditionType::Never, 0};
  }
  void on_execute(std::int64_t) override { ++done_; }
  void events(gxr::TermEvents&) override {}  // nothing but a tick changes the answer

 private:
  gxr::Parameter<std::int64_t> ticks_;
  std::int64_t done_ = 0;
};

}  // namespace guide
