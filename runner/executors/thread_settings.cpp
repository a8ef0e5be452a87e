#include "executors/thread_settings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <system_error>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "system/cpu_cores.hpp"

namespace gxr {
namespace {

constexpr std::size_t kLongestName = 15;      // of a thread, in bytes
constexpr std::uint32_t kDeadlinePolicy = 6;  // SCHED_DEADLINE

/// The first `most` bytes of a text in UTF-8 at most, in whole characters.
std::string first_bytes(const std::string& text, std::size_t most) {
  std::size_t size = std::min(text.size(), most);
  while (size > 0 && size < text.size() &&
         (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) {
    --size;
  }
  return text.substr(0, size);
}

/// What the system call sched_setattr takes. The C library has no such structure before 2.41.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

/// A set of CPU cores that may be larger than cpu_set_t.
class CoreSet {
 public:
  explicit CoreSet(std::size_t cores)
      : count_(std::max<std::size_t>(cores, CPU_SETSIZE)), set_(CPU_ALLOC(count_), &free_set) {
    if (set_ == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "there is no memory for a set of CPU cores");
    }
    CPU_ZERO_S(bytes(), set_.get());
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return CPU_ALLOC_SIZE(count_); }
  [[nodiscard]] cpu_set_t* get() const noexcept { return set_.get(); }
  void add(std::uint32_t core) noexcept { CPU_SET_S(core, bytes(), set_.get()); }
  [[nodiscard]] bool has(std::uint32_t core) const noexcept {
    return CPU_ISSET_S(core, bytes(), set_.get()) != 0;
  }
  [[nodiscard]] std::vector<std::uint32_t> members() const {
    std::vector<std::uint32_t> cores;
    for (std::uint32_t core = 0; core < count_; ++core) {
      if (has(core)) {
        cores.push_back(core);
      }
    }
    return cores;
  }

 private:
  static void free_set(cpu_set_t* set) noexcept { CPU_FREE(set); }

  std::size_t count_;
  std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set_;
};

/// Cores that the calling thread runs on; empty when the kernel does not say.
std::vector<std::uint32_t> current_cores() {
  constexpr std::size_t kMostCores = 8192;  // that Linux can be built for
  CoreSet set(kMostCores);
  return ::sched_getaffinity(0, set.bytes(), set.get()) == 0 ? set.members()
                                                             : std::vector<std::uint32_t>();
}

void warn_of_unused_cores(const ThreadSettings& settings) {
  const std::vector<std::uint32_t> used = current_cores();
  std::vector<std::uint32_t> unused;
  std::ranges::copy_if(settings.cores, std::back_inserter(unused), [&](std::uint32_t core) {
    return std::ranges::find(used, core) == used.end();
  });
  if (!used.empty() && !unused.empty() && settings.declared_by != nullptr) {
    settings.declared_by->context().log(
        LogLevel::Warn, *settings.declared_by,
        "pin_cores names " + cores_text(unused) +
            ", which this process may not use; the thread runs on " + cores_text(used));
  }
}

std::string name_of(const ThreadSettings& settings) {
  return settings.name.empty() ? "the scheduler's thread" : "the thread '" + settings.name + "'";
}

void pin(const ThreadSettings& settings) {
  const std::uint32_t greatest = *std::ranges::max_element(settings.cores);
  CoreSet set(std::size_t{greatest} + 1);
  for (const std::uint32_t core : settings.cores) {
    set.add(core);
  }
  if (::sched_setaffinity(0, set.bytes(), set.get()) == 0) {
    warn_of_unused_cores(settings);
    return;
  }
  const int error = errno;
  const std::string text = name_of(settings) + " cannot be pinned to " + cores_text(settings.cores);
  if (error == EINVAL) {
    throw Error(ErrorCode::NotAvailable, text + ": this process may use " +
                                             cores_text(current_cores()) +
                                             " only, see taskset and cpusets");
  }
  throw Error(ErrorCode::NotAvailable, text + ": " + system_error_text(error));
}

SchedulingAttributes attributes_of(const ThreadSettings::Policy& policy) {
  SchedulingAttributes attributes;
  if (policy.kind == ThreadPolicy::Deadline) {
    attributes.policy = kDeadlinePolicy;
    attributes.runtime = policy.runtime;
    attributes.deadline = policy.deadline;
    attributes.period = policy.period;
  } else {
    attributes.policy =
        static_cast<std::uint32_t>(policy.kind == ThreadPolicy::Fifo ? SCHED_FIFO : SCHED_RR);
    attributes.priority = policy.priority;
  }
  return attributes;
}

std::string policy_text(const ThreadSettings::Policy& policy) {
  const std::string word = ParameterTraits<ThreadPolicy>::to_yaml(policy.kind);
  return policy.kind == ThreadPolicy::Deadline
             ? word + " (runtime " + std::to_string(policy.runtime) + " ns, deadline " +
                   std::to_string(policy.deadline) + " ns, period " +
                   std::to_string(policy.period) + " ns)"
             : word + " with priority " + std::to_string(policy.priority);
}

/// What can be done about a refusal.
std::string advice(int error, const ThreadSettings& settings) {
  const ThreadSettings::Policy& policy = *settings.policy;
  const bool deadline = policy.kind == ThreadPolicy::Deadline;
  if (error == EPERM && deadline) {
    return std::string("; it needs CAP_SYS_NICE") +
           (settings.cores.empty() ? "" : ", and a thread with pin_cores cannot have this policy");
  }
  if (error == EPERM) {
    return "; it needs CAP_SYS_NICE, or an RLIMIT_RTPRIO of at least " +
           std::to_string(policy.priority) + " (ulimit -r)";
  }
  if (error == EBUSY) {
    return "; the threads with this policy would need more time than there is";
  }
  return "";
}

bool set_attributes(const SchedulingAttributes& attributes) noexcept {
  return ::syscall(SYS_sched_setattr, 0, &attributes, 0U) == 0;
}

void set_policy(const ThreadSettings& settings) {
  if (!set_attributes(attributes_of(*settings.policy))) {
    const int error = errno;
    throw Error(ErrorCode::NotAvailable, "the system refuses " + policy_text(*settings.policy) +
                                             " to " + name_of(settings) + ": " +
                                             system_error_text(error) + advice(error, settings));
  }
}

}  // namespace

void ThreadSettings::use(const ThreadParameters& parameters) {
  if (!parameters.pin_cores().empty()) {
    cores = parameters.pin_cores();
  }
  if (const std::optional<ThreadPolicy>& kind = parameters.sched_policy()) {
    policy = {*kind, parameters.sched_priority(), parameters.sched_runtime(),
              parameters.sched_deadline(), parameters.sched_period()};
  }
}

std::string worker_name(const std::string& name, std::uint32_t number) {
  const std::string end = "-" + std::to_string(number);
  return first_bytes(name, kLongestName - end.size()) + end;
}

ThreadSettings pinned_thread(const std::string& entity, const CPUThread& thread,
                             const ThreadPool& pool) {
  ThreadSettings settings;
  settings.name = entity;
  settings.declared_by = &thread;
  settings.use(pool.threads());
  settings.use(thread.thread());
  return settings;
}

void apply(const ThreadSettings& settings) {
  const std::string name = first_bytes(settings.name, kLongestName);
  if (!name.empty()) {
    static_cast<void>(::pthread_setname_np(::pthread_self(), name.c_str()));
  }
  if (!settings.cores.empty()) {
    pin(settings);
  }
  if (settings.policy) {
    set_policy(settings);
  }
}

// --- for as long as the run takes ---------------------------------------------------------------

/// Cores and policy of the calling thread.
class AppliedThreadSettings::Before {
 public:
  Before() : cores_(current_cores()) {
    knows_attributes_ = ::syscall(SYS_sched_getattr, 0, &attributes_, sizeof(attributes_), 0U) == 0;
  }
  void restore() const noexcept {
    if (knows_attributes_) {
      static_cast<void>(set_attributes(attributes_));
    }
    if (cores_.empty()) {
      return;
    }
    try {
      CoreSet set(std::size_t{cores_.back()} + 1);
      for (const std::uint32_t core : cores_) {
        set.add(core);
      }
      static_cast<void>(::sched_setaffinity(0, set.bytes(), set.get()));
    } catch (const Error&) {
      return;  // no memory: the thread stays where it is
    }
  }

 private:
  std::vector<std::uint32_t> cores_;  // ascending; empty: not known
  SchedulingAttributes attributes_;
  bool knows_attributes_ = false;
};

AppliedThreadSettings::AppliedThreadSettings(const ThreadSettings& settings) {
  if (settings.can_fail()) {
    before_ = std::make_unique<Before>();
    try {
      apply(settings);
    } catch (...) {
      before_->restore();
      throw;
    }
  }
}

AppliedThreadSettings::~AppliedThreadSettings() {
  if (before_ != nullptr) {
    before_->restore();
  }
}

// --- what schedulers say
// --------------------------------------------------------------------------

Timing timing_of(const Scheduler* scheduler) {
  const TimeKeeping* said = nullptr;
  if (const auto* greedy = dynamic_cast<const GreedyScheduler*>(scheduler)) {
    said = &greedy->time_keeping();
  } else if (const auto* threaded = dynamic_cast<const ThreadedScheduler*>(scheduler)) {
    said = &threaded->time_keeping();
  }
  Timing timing;
  timing.thread.declared_by = scheduler;
  if (said != nullptr) {
    timing.thread.use(said->threads());
    timing.locks_memory = said->locks_memory();
    timing.spin = said->spin();
  }
  return timing;
}

void lock_memory() {
  if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    const int error = errno;
    const bool is_limit = error == EPERM || error == ENOMEM;
    throw Error(
        ErrorCode::NotAvailable,
        "the system refuses to keep the memory of the process in RAM: " + system_error_text(error) +
            (is_limit ? "; it needs CAP_IPC_LOCK, or an RLIMIT_MEMLOCK of at least its size "
                        "(ulimit -l)"
                      : ""));
  }
}

}  // namespace gxr
