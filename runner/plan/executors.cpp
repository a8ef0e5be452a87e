#include "plan/executors.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "graph/roles.hpp"

namespace gxr {
namespace {

constexpr bool kMakesGraphs = true;
constexpr bool kHasThreads = true;

constexpr ExecutorEntry kExecutors[] = {
    {"greedy", ExecutorKind::Greedy, !kMakesGraphs, std::nullopt, !kHasThreads},
    {"threads", ExecutorKind::Threads, !kMakesGraphs, std::nullopt, kHasThreads},
    {"events", ExecutorKind::Events, !kMakesGraphs, std::nullopt, kHasThreads},
    {"graph", ExecutorKind::Graph, kMakesGraphs, GraphMode::Graph, !kHasThreads},
    {"resident", ExecutorKind::Resident, kMakesGraphs, GraphMode::Resident, !kHasThreads},
    {"auto", ExecutorKind::Unknown, kMakesGraphs, std::nullopt, !kHasThreads},
};

constexpr std::pair<Role, ExecutorKind> kSchedulers[] = {
    {Role::GreedyScheduler, ExecutorKind::Greedy},
    {Role::MultiThreadScheduler, ExecutorKind::Threads},
    {Role::EventBasedScheduler, ExecutorKind::Events},
    {Role::EpochScheduler, ExecutorKind::Events},
};

}  // namespace

std::span<const ExecutorEntry> executors() noexcept { return kExecutors; }

const ExecutorEntry* find_executor(std::string_view name) noexcept {
  const auto* found = std::ranges::find(kExecutors, name, &ExecutorEntry::name);
  return found == std::end(kExecutors) ? nullptr : found;
}

std::string executor_names(bool only_on_cpu) {
  std::string names;
  for (const ExecutorEntry& entry : kExecutors) {
    if (!only_on_cpu || !entry.makes_graphs) {
      names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
  }
  return names;
}

ExecutorKind executor_of(const GraphComponent& scheduler, Roles& roles) {
  for (const auto& [role, kind] : kSchedulers) {
    if (roles.has(scheduler, role)) {
      return kind;
    }
  }
  return ExecutorKind::Unknown;
}

const char* to_string(ExecutorKind kind) noexcept {
  const auto* found = std::ranges::find(kExecutors, kind, &ExecutorEntry::kind);
  const bool known = found != std::end(kExecutors) && kind != ExecutorKind::Unknown;
  return known ? found->name.data() : "unknown";
}

}  // namespace gxr
