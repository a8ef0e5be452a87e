#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"

namespace gxr::testing {

/// Publishes a message per tick, acquired at the time of a clock, and sets the time of the next
/// tick.
class TestTimestampTx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override { output_.finish(*this); }

 private:
  Parameter<std::int64_t> delay_;
  Parameter<Handle<Clock>> execution_clock_;
  Output<> signal_;
  Parameter<Handle<TargetTimeSchedulingTerm>> scheduling_term_;
  Parameter<Handle<Clock>> offset_clock_;
  UncheckedOutput output_;
};

/// Takes a message per tick and fails unless both times of its Timestamp have grown by `delay`
/// since the message before.
class TestTimestampRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override { last_ = {}; }
  void tick() override;

 private:
  void check(const char* what, std::int64_t before, std::int64_t now) const;

  Input<> signal_;
  Parameter<std::int64_t> delay_;
  Timestamp last_;
};

}  // namespace gxr::testing
