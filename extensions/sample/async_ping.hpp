#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Publishes a running number per tick and rests for a while.
class PingTxAsync final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override { number_ = 0; }
  void tick() override;

 private:
  Parameter<Handle<Transmitter>> signal_;
  Parameter<std::int64_t> sleep_time_us_;
  std::int32_t number_ = 0;
};

/// Takes the newest number of a PingTxAsync per tick, checks how far it lies from the one before,
/// and rests for a while.
class PingRxAsync final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void check(std::int32_t number) const;

  Parameter<Handle<Receiver>> signal_;
  Parameter<std::int64_t> sleep_time_us_;
  Parameter<std::int32_t> verification_range_min_;
  Parameter<std::int32_t> verification_range_max_;
  std::int32_t last_ = 0;
  bool has_last_ = false;
};

}  // namespace gxr::sample
