#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"

namespace gxr::sample {

/// Rests for a while, then publishes a running number, from 1 on: the part "count", an int32.
class PingTxAsync final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override { number_ = 0; }
  void tick() override;
  void stop() override { output_.finish(*this); }

 private:
  Output<> signal_;
  Parameter<std::int64_t> sleep_time_us_;
  std::int32_t number_ = 0;
  UncheckedOutput output_;
};

/// Rests for a while, then takes the newest number of a PingTxAsync, if there is one, and checks
/// it.
class PingRxAsync final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override { last_ = 0; }
  void tick() override;

 private:
  void check(std::int32_t number) const;

  Input<> signal_;
  Parameter<std::int64_t> sleep_time_us_;
  Parameter<std::int32_t> verification_range_min_;
  Parameter<std::int32_t> verification_range_max_;
  std::int32_t last_ = 0;  // number that was looked at
};

}  // namespace gxr::sample
