#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gxr/resource.hpp"
#include "gxr/scheduler.hpp"

namespace gxr {

/// What an application's file says of one thread of an executor.
struct ThreadSettings {
  /// A real-time policy with the numbers that belong to it.
  struct Policy {
    ThreadPolicy kind = ThreadPolicy::Fifo;
    std::uint32_t priority = 0;  ///< of Fifo and RoundRobin
    std::uint64_t runtime = 0;   ///< of Deadline, ns, as the others
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
  };

  std::string name;                        ///< for the operating system, which cuts it
  std::vector<std::uint32_t> cores;        ///< empty: any
  std::optional<Policy> policy;            ///< empty: that of the process
  const Component* declared_by = nullptr;  ///< for messages; null when a file says nothing

  /// Takes over what is set in the parameters.
  void use(const ThreadParameters& parameters);
  /// Whether there is something that the kernel may refuse.
  [[nodiscard]] bool can_fail() const noexcept { return !cores.empty() || policy.has_value(); }
};

/// "NAME-3", with as much of `name` as Linux has room for.
std::string worker_name(const std::string& name, std::uint32_t number);

/// The settings of the thread of an entity with this CPUThread and ThreadPool.
ThreadSettings pinned_thread(const std::string& entity, const CPUThread& thread,
                             const ThreadPool& pool);

/// Applies them to the calling thread. Throws Error when the kernel refuses; a core that this
/// process may not use, beside others that it may, is a warning of `declared_by`.
void apply(const ThreadSettings& settings);

/// apply() to the calling thread until this goes; then cores and policy are as before. The thread
/// keeps its name.
class AppliedThreadSettings {
 public:
  explicit AppliedThreadSettings(const ThreadSettings& settings);
  AppliedThreadSettings(const AppliedThreadSettings&) = delete;
  AppliedThreadSettings& operator=(const AppliedThreadSettings&) = delete;
  ~AppliedThreadSettings();

 private:
  class Before;
  std::unique_ptr<Before> before_;  // null: nothing was changed
};

/// What a scheduler says of its threads and of how they wait.
struct Timing {
  ThreadSettings thread;      ///< of each thread; without a name
  bool locks_memory = false;  ///< of the process
  std::int64_t spin = 0;      ///< real ns of active waiting before a time that is waited for
};
/// Of a scheduler of any kind; the defaults for null.
Timing timing_of(const Scheduler* scheduler);

/// Has all memory of the process stay in RAM. Throws Error when the kernel refuses.
void lock_memory();

}  // namespace gxr
