#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

/// How Linux schedules a thread with a real-time policy.
enum class ThreadPolicy : std::uint8_t { Fifo, RoundRobin, Deadline };

template <>
struct EnumNames<ThreadPolicy> {
  static constexpr std::pair<ThreadPolicy, const char*> values[] = {
      {ThreadPolicy::Fifo, "SCHED_FIFO"},
      {ThreadPolicy::RoundRobin, "SCHED_RR"},
      {ThreadPolicy::Deadline, "SCHED_DEADLINE"}};
};

/// How the operating system runs a thread: parameters that several components have.
class GXR_API ThreadParameters {
 public:
  /// Declares `pin_cores`; both texts describe the parameter.
  void declare_cores(Interface& interface, const char* headline, const char* description);
  /// Declares `sched_policy` and what belongs to it; `otherwise` says what a thread without it has.
  void declare_policy(Interface& interface, const char* otherwise);
  /// Throws Error(OutOfRange) when the machine lacks one of pin_cores().
  void check() const;

  /// Empty: any, or what the component says.
  [[nodiscard]] const std::vector<std::uint32_t>& pin_cores() const { return pin_cores_.get(); }
  /// Empty: the policy of the process, or what the component says.
  [[nodiscard]] const std::optional<ThreadPolicy>& sched_policy() const {
    return sched_policy_.try_get();
  }
  /// For Fifo and RoundRobin, from 1 to 99.
  [[nodiscard]] std::uint32_t sched_priority() const {
    return sched_priority_.try_get().value_or(0);
  }
  /// For Deadline, in ns.
  [[nodiscard]] std::uint64_t sched_runtime() const { return sched_runtime_.try_get().value_or(0); }
  /// For Deadline, in ns.
  [[nodiscard]] std::uint64_t sched_deadline() const {
    return sched_deadline_.try_get().value_or(0);
  }
  /// For Deadline, in ns.
  [[nodiscard]] std::uint64_t sched_period() const { return sched_period_.try_get().value_or(0); }

 private:
  Parameter<std::vector<std::uint32_t>> pin_cores_;
  Parameter<ThreadPolicy> sched_policy_;
  Parameter<std::uint32_t> sched_priority_;
  Parameter<std::uint64_t> sched_runtime_;
  Parameter<std::uint64_t> sched_deadline_;
  Parameter<std::uint64_t> sched_period_;
};

/// Something of the machine that the components of an entity group share: threads, a GPU. A
/// component finds the resources of its own group; YAML does not refer to them by handles.
class GXR_API ResourceBase : public Component {
 public:
  ~ResourceBase() override;
};

/// Lets entities of its group have threads of their own: those with a CPUThread that pins them.
class GXR_API ThreadPool final : public ResourceBase {
 public:
  ~ThreadPool() override;
  void declare(Interface& interface) override;
  /// Throws Error(OutOfRange) when the machine lacks one of pin_cores().
  void initialize() override;

  /// Threads that are made at the start; more are made as entities are pinned.
  [[nodiscard]] std::int64_t initial_size() const { return initial_size_.get(); }
  /// Without effect, as in GXF.
  [[nodiscard]] std::int64_t priority() const { return priority_.get(); }
  /// For those of its threads whose CPUThread says nothing else.
  [[nodiscard]] const ThreadParameters& threads() const noexcept { return threads_; }

 private:
  Parameter<std::int64_t> initial_size_;
  Parameter<std::int64_t> priority_;
  ThreadParameters threads_;
};

/// The GPU that components of its group use; without one they use device 0.
class GXR_API GPUDevice final : public ResourceBase {
 public:
  ~GPUDevice() override;
  void declare(Interface& interface) override;

  /// Number of the GPU, as CUDA counts.
  [[nodiscard]] std::int32_t device_id() const { return dev_id_.get(); }

 private:
  Parameter<std::int32_t> dev_id_;
};

/// Says whether its entity gets a thread of its own from the ThreadPool of its group, on which
/// cores that runs, and how Linux schedules it.
class GXR_API CPUThread final : public Component {
 public:
  ~CPUThread() override;
  void declare(Interface& interface) override;
  /// Throws Error(OutOfRange) when the machine lacks one of pin_cores().
  void initialize() override;

  /// Shall the entity have a thread of its own?
  [[nodiscard]] bool pin_entity() const { return pin_entity_.get(); }
  /// The ThreadPool decides where it is empty.
  [[nodiscard]] const ThreadParameters& thread() const noexcept { return thread_; }

 private:
  Parameter<bool> pin_entity_;
  ThreadParameters thread_;
};

}  // namespace gxr
