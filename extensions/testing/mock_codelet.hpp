#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Stands for a codelet of an application while its real one is not there: publishes, takes, or
/// passes on one message per tick, and takes its time.
class MockCodelet final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void source();
  void sink();
  void process();
  /// Sleeps for a random time between the two durations.
  void take_time();
  void publish(Message message);

  Parameter<std::string> mode_;
  Parameter<Handle<Receiver>> receiver_;
  Parameter<Handle<Transmitter>> transmitter_;
  Parameter<Handle<Clock>> clock_;
  Parameter<int> duration_lower_ms_;
  Parameter<int> duration_upper_ms_;
  Parameter<bool> include_mock_latency_;

  std::minstd_rand random_;
};

/// Ticks successfully some times, then fails.
class MockFailure final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override { ticks_ = 0; }
  void tick() override;

 private:
  Parameter<std::int32_t> num_max_ticks_;
  std::int32_t ticks_ = 0;
};

}  // namespace gxr::testing
