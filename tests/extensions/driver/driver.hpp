#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gxr/gxr.hpp>

namespace driver {

using gxr::Handle;
using gxr::Interface;
using gxr::Parameter;

/// Publishes one message a tick, with the acquisition times of a list; without a Timestamp where
/// the list has ended. Its number, from 1, is in the part "number".
class Source final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  gxr::Output<> signal_;
  Parameter<std::vector<std::int64_t>> times_;
  Parameter<int> burst_;
  std::int32_t number_ = 0;
};

/// Logs the messages that it takes: number and time of acquisition.
class Sink final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  [[nodiscard]] std::string take(gxr::Receiver& receiver) const;

  Parameter<std::vector<Handle<gxr::Receiver>>> signals_;
  Parameter<int> most_;
};

/// Publishes tensors from a pool, or ones that wrap memory said to be of another storage type.
class TensorSource final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  gxr::Output<> signal_;
  Parameter<Handle<gxr::Allocator>> pool_;
  Parameter<int> storage_type_;
};

/// Keeps the messages that it takes, at most `keep` of them, and logs their tensors.
class TensorSink final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;
  void stop() override { kept_.clear(); }

 private:
  gxr::Input<> signal_;
  Parameter<int> keep_;
  std::vector<gxr::Message> kept_;
};

/// Says what time it is, and then moves a SyntheticClock.
class ClockMover final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<gxr::SyntheticClock>> clock_;
  Parameter<std::int64_t> step_;
};

/// A thread sets an AsynchronousSchedulingTerm to EventDone some real milliseconds after each tick.
class AsyncWorker final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;
  void stop() override;

 private:
  Parameter<Handle<gxr::AsynchronousSchedulingTerm>> term_;
  Parameter<int> ticks_;
  Parameter<bool> from_outside_;
  std::thread thread_;
};

/// Sets the target times of a list, one a tick.
class TargetSetter final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<gxr::TargetTimeSchedulingTerm>> term_;
  Parameter<std::vector<std::int64_t>> times_;
};

/// Sets a BTSchedulingTerm: ready in its first tick, never in its last.
class TreeParent final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<gxr::BTSchedulingTerm>> child_;
  Parameter<std::int64_t> last_;
};

/// Takes messages out of a Vault on a thread of its own and logs their numbers in the end.
class VaultReader final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void start() override;
  void tick() override {}

 private:
  Parameter<Handle<gxr::Vault>> vault_;
  Parameter<std::uint64_t> count_;
  Parameter<bool> use_callback_;
  Parameter<bool> blocking_;
  std::thread thread_;
  std::string text_;
};

/// Gives samples to a Metric and logs what it says.
class Sampler final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<gxr::Metric>> metric_;
  Parameter<std::vector<double>> samples_;
};

/// Switches its own term off and another one's on: of two, one is on at any time. Interrupts the
/// application when it has done so `count` times.
class Toggle final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<gxr::BooleanSchedulingTerm>> own_;
  Parameter<Handle<gxr::BooleanSchedulingTerm>> other_;
  Parameter<std::int64_t> count_;
};

/// Sleeps on a clock in its tick.
class Sleeper final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<Handle<gxr::Clock>> clock_;
  Parameter<gxr::Duration> duration_;
};

}  // namespace driver
