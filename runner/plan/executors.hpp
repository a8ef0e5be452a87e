#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/graph_options.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"

namespace gxr {

class Roles;

/// Which executor runs a region. Unknown: the scheduler's type is, so the application cannot run.
enum class ExecutorKind : std::uint8_t { Greedy, Threads, Events, Graph, Resident, Unknown };
const char* to_string(ExecutorKind kind) noexcept;

/// An executor that the command line and programs may name.
struct ExecutorEntry {
  std::string_view name;
  /// Unknown for one that leaves the choice to the planner.
  ExecutorKind kind = ExecutorKind::Unknown;
  /// Runs what can be captured as CUDA graphs, and leaves the rest to the scheduler of the file.
  bool makes_graphs = false;
  /// How the graphs run; none: the planner chooses for each.
  std::optional<GraphMode> mode;
  /// Ticks on threads of its own, not on the thread that calls it.
  bool has_threads = false;
};

/// All of them, in the order in which help and messages list them.
GXR_INTERNAL_API std::span<const ExecutorEntry> executors() noexcept;
/// nullptr for a name that none has.
const ExecutorEntry* find_executor(std::string_view name) noexcept;
/// "greedy, threads, …": those on the CPU, or all.
std::string executor_names(bool only_on_cpu);
/// The executor that this scheduler asks for; Unknown if this build has none for it.
ExecutorKind executor_of(const GraphComponent& scheduler, Roles& roles);

}  // namespace gxr
