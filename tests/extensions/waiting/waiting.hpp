#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include <sys/types.h>

#include <gxr/gxr.hpp>

namespace test {

/// Starts a shell command in start(); in stop() it sends SIGTERM and says what the command ended
/// by. Or it forks a process that executes no program.
class Child final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override;
  void start() override;
  void tick() override {}
  void stop() override;

 private:
  void spawn();
  void fork();
  [[noreturn]] void be_child(int held);

  gxr::Parameter<std::string> command_;
  gxr::Parameter<std::string> by_;
  gxr::Parameter<int> at_once_;
  gxr::Parameter<std::string> ready_;
  pid_t child_ = 0;
};

/// Never returns from the call that `where` names.
class Hanging final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override;
  void initialize() override { call("initialize"); }
  void start() override { call("start"); }
  void tick() override { call("tick"); }
  void stop() override { call("stop"); }
  void deinitialize() override { call("deinitialize"); }

 private:
  void call(const std::string& method);

  gxr::Parameter<std::string> where_;
};

/// A thread of its own makes events, each some microseconds after the tick for the one before;
/// other threads sleep on the scheduler's clock all the while. Fails when a tick comes too late.
class Punctual final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  using Steady = std::chrono::steady_clock;

  void make_events();
  void sleep_on_clock();

  gxr::Parameter<gxr::Handle<gxr::AsynchronousSchedulingTerm>> term_;
  gxr::Parameter<gxr::Handle<gxr::Clock>> clock_;
  gxr::Parameter<std::int64_t> events_;
  std::atomic<bool> ending_{false};
  std::atomic<Steady::rep> made_{0};  // when the last event was made
  std::atomic<std::int64_t> ticks_{0};
  std::thread maker_;
  std::thread sleeper_;
};

}  // namespace test
