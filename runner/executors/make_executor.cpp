#include "executors/make_executor.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "executors/greedy/greedy_executor.hpp"
#include "executors/parallel/parallel_executor.hpp"
#include "executors/run_limits.hpp"
#include "executors/thread_settings.hpp"
#include "gxr/error.hpp"
#include "gxr/resource.hpp"

namespace gxr {
namespace {

constexpr std::int64_t kMostWorkers = 1024;

/// The first component of type T that `accepts`; null when there is none.
template <class T, class Accepts>
const T* first_of(const Instance& instance, const std::vector<ComponentId>& components,
                  Accepts accepts) {
  for (const ComponentId id : components) {
    const auto* component = dynamic_cast<const T*>(&instance.component(id));
    if (component != nullptr && accepts(*component)) {
      return component;
    }
  }
  return nullptr;
}

/// An entity gets a thread of its own when it has a CPUThread that says so and its group a
/// ThreadPool.
std::optional<ThreadSettings> own_thread(const LiveEntity& entity, const Instance& instance) {
  const auto* thread =
      first_of<CPUThread>(instance, entity.graph->components,
                          [](const CPUThread& candidate) { return candidate.pin_entity(); });
  const auto* pool =
      first_of<ThreadPool>(instance, instance.graph().groups[entity.graph->group].resources,
                           [](const ThreadPool&) { return true; });
  return thread == nullptr || pool == nullptr
             ? std::nullopt
             : std::optional(pinned_thread(entity.graph->name, *thread, *pool));
}

ThreadSettings worker_thread(const ThreadedScheduler& scheduler, std::uint32_t number) {
  ThreadSettings settings = timing_of(&scheduler).thread;
  settings.name = worker_name(scheduler.worker_thread_name_id(), number);
  return settings;
}

ParallelOptions parallel_options(const ExecutorParts& parts) {
  const Scheduler* const scheduler = parts.scheduler;
  const Instance& instance = parts.instance;
  ParallelOptions options;
  options.limits = limits_of(scheduler);
  options.timing = timing_of(scheduler);
  // A scheduler that the command line put in the place of another one uses the machine.
  options.workers = std::max(1U, std::thread::hardware_concurrency());
  if (dynamic_cast<const EpochScheduler*>(scheduler) != nullptr) {
    options.workers = 1;  // the default of EventBasedScheduler
  }
  if (const auto* threaded = dynamic_cast<const ThreadedScheduler*>(scheduler)) {
    options.workers = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(threaded->worker_thread_number(), 1, kMostWorkers));
    for (std::uint32_t i = 0; i < options.workers; ++i) {
      options.threads.push_back(worker_thread(*threaded, i + 1));
    }
  }
  options.threads.resize(options.workers);
  for (const LiveEntity& entity : instance.entities()) {
    if (std::optional<ThreadSettings> thread = own_thread(entity, instance)) {
      options.pinned.push_back(entity.id);
      options.threads.push_back(std::move(*thread));
    }
  }
  if (const auto* multi = dynamic_cast<const MultiThreadScheduler*>(scheduler)) {
    options.strict_pinning = multi->strict_job_thread_pinning();
  }
  return options;
}

std::unique_ptr<Executor> make_greedy(const ExecutorParts& parts) {
  auto executor = std::make_unique<GreedyExecutor>(parts.instance, limits_of(parts.scheduler),
                                                   parts.clock, parts.pool, parts.options);
  executor->set_timing(timing_of(parts.scheduler));
  if (parts.poller != nullptr) {
    executor->set_poller(*parts.poller);
  }
  return executor;
}

std::unique_ptr<Executor> make_parallel(const ExecutorParts& parts) {
  return std::make_unique<ParallelExecutor>(parts.instance, parts.clock, parallel_options(parts),
                                            parts.options);
}

/// How each of the executors() for the CPU is made.
constexpr std::pair<ExecutorKind, std::unique_ptr<Executor> (*)(const ExecutorParts&)>
    kFactories[] = {
        {ExecutorKind::Greedy, make_greedy},
        {ExecutorKind::Threads, make_parallel},
        {ExecutorKind::Events, make_parallel},
};

}  // namespace

std::unique_ptr<Executor> make_executor(ExecutorKind kind, const ExecutorParts& parts) {
  const auto* const found =
      std::ranges::find(kFactories, kind, [](const auto& entry) { return entry.first; });
  if (found == std::end(kFactories)) {
    throw Error(ErrorCode::NotSupported, std::string("the executor '") + to_string(kind) +
                                             "' does not run entities on the CPU");
  }
  return found->second(parts);
}

}  // namespace gxr
