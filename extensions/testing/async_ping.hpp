#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "gxr/driven_terms.hpp"
#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"

namespace gxr::testing {

/// A thread that sets an asynchronous term from EventWaiting to EventDone again and again, in real
/// time.
class EventSource {
 public:
  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  ~EventSource() { stop(); }

  void start(AsynchronousSchedulingTerm& term, std::int64_t delay_ms);
  void stop();

 private:
  void run(AsynchronousSchedulingTerm& term, std::int64_t delay_ms);

  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stopped_ = false;  // guarded by mutex_
  std::thread thread_;
};

/// Publishes an empty message at once, then at events that a thread of its own makes.
class AsyncPingTx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  Parameter<std::int64_t> delay_;
  Output<> signal_;
  Parameter<std::uint64_t> count_;
  Parameter<Handle<AsynchronousSchedulingTerm>> scheduling_term_;
  std::uint64_t ticks_ = 0;
  UncheckedOutput output_;
  EventSource events_;
};

/// Takes a message, then waits for an event that a thread of its own makes. While there is no
/// message it does not wait.
class AsyncPingRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override { events_.stop(); }

 private:
  Parameter<std::int64_t> delay_;
  Input<> signal_;
  Parameter<Handle<AsynchronousSchedulingTerm>> scheduling_term_;
  EventSource events_;
};

/// Publishes a message that is stamped with the time of the next tick, which it sets.
class ScheduledPingTx final : public Codelet {
 public:
  void declare(Interface& interface) override;
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

}  // namespace gxr::testing
