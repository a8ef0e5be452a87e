#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>

#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"

namespace gxr::testing {

/// The part that MockCodelet adds to its messages. All holders of a message share its parts.
struct MockTrace {
  std::int64_t made_at = 0;                     ///< on the clock of the SRC, ns
  mutable std::atomic<std::int64_t> rested{0};  ///< by those on the way, ns
  mutable std::atomic<bool> arrived{false};     ///< a SINK has had it
};

/// Stands for a codelet of an application while its real one is not there: publishes, takes, or
/// passes on one message per tick, and takes its time. It only knows messages of its own kind.
class MockCodelet final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override { output_.finish(*this); }

 private:
  void make();
  void process();
  void sink();
  static const MockTrace& trace_of(const Message& message);
  /// Sleeps for a random time between the two durations, which it returns in ns.
  std::int64_t rest();

  Parameter<std::string> mode_;
  Input<> receiver_;
  Output<> transmitter_;
  Parameter<Handle<Clock>> clock_;
  Parameter<int> duration_lower_ms_;
  Parameter<int> duration_upper_ms_;
  Parameter<bool> include_mock_latency_;

  std::minstd_rand random_;
  UncheckedOutput output_;
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
