#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/parameter_value.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

constexpr std::string_view kDeadlineKeys[] = {"sched_runtime", "sched_deadline", "sched_period"};
/// What Linux asks for.
constexpr std::uint64_t kShortestRuntime = 1024;  // ns

bool is_a(const GraphComponent& component, std::string_view type) {
  return component.type != nullptr && component.type->name == type;
}

bool has_thread_parameters(const GraphComponent& component) {
  return is_a(component, "gxr::CPUThread") || is_a(component, "gxr::ThreadPool") ||
         is_a(component, "gxr::GreedyScheduler") || is_a(component, "gxr::MultiThreadScheduler") ||
         is_a(component, "gxr::EventBasedScheduler");
}

/// Checks the thread parameters of one graph.
class ThreadChecker {
 public:
  ThreadChecker(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics) {
    Roles roles(catalog);
    for (const GraphComponent& component : graph.components) {
      one_thread_ = one_thread_ || roles.has(component, Role::GreedyScheduler);
    }
  }

  void check(const GraphComponent& thread) {
    if (thread.flawed) {
      return;
    }
    const std::size_t errors = diagnostics_.errors();
    const std::string_view policy = parameter_text(thread, "sched_policy");
    if (policy == "SCHED_DEADLINE") {
      check_deadline(thread);
      report_unused(thread, "sched_priority", "SCHED_FIFO or SCHED_RR");
    } else if (policy == "SCHED_FIFO" || policy == "SCHED_RR") {
      check_priority(thread, policy);
    } else if (!policy.empty()) {
      return;  // reported when parameters were checked
    } else {
      report_unused(thread, "sched_priority", "SCHED_FIFO or SCHED_RR");
    }
    for (const std::string_view key : kDeadlineKeys) {
      if (policy != "SCHED_DEADLINE") {
        report_unused(thread, key, "SCHED_DEADLINE");
      }
    }
    // Others have their threads anyway. Behind an error this would be a consequence.
    if (is_a(thread, "gxr::CPUThread") && diagnostics_.errors() == errors) {
      check_pinned(thread);
    }
  }

 private:
  void check_priority(const GraphComponent& thread, std::string_view policy) {
    if (thread.find("sched_priority") == nullptr) {
      add_policy_error(thread, std::string(policy) + " needs a sched_priority",
                       "write 'sched_priority: ' with a number from 1 to 99, the most urgent");
    } else if (unsigned_parameter(thread, "sched_priority") == std::uint64_t{0}) {
      add_policy_error(thread, std::string(policy) + " needs a sched_priority of at least 1",
                       "write a number from 1 to 99, the most urgent");
    }
  }

  void check_deadline(const GraphComponent& thread) {
    std::string missing;
    std::vector<std::uint64_t> times;
    for (const std::string_view key : kDeadlineKeys) {
      if (thread.find(key) == nullptr) {
        missing.append(missing.empty() ? "" : ", ").append(key);
      } else if (const auto time = unsigned_parameter(thread, key)) {
        times.push_back(*time);
      }
    }
    if (!missing.empty()) {
      add_policy_error(thread, "SCHED_DEADLINE needs " + missing,
                       "all are times in ns; each is at least as long as the one before");
      return;
    }
    if (times.size() < std::size(kDeadlineKeys)) {
      return;  // reported when parameters were checked
    }
    if (!std::ranges::is_sorted(times)) {
      add_policy_error(thread,
                       "sched_runtime is " + std::to_string(times[0]) + " ns, sched_deadline " +
                           std::to_string(times[1]) + " ns and sched_period " +
                           std::to_string(times[2]) + " ns",
                       "each must be at least as long as the one before");
    } else if (times[0] < kShortestRuntime) {
      add_policy_error(thread, "sched_runtime is " + std::to_string(times[0]) + " ns",
                       "Linux takes no less than " + std::to_string(kShortestRuntime) + " ns");
    }
  }

  void add_policy_error(const GraphComponent& thread, const std::string& what, std::string hint) {
    const ParameterAssignment& policy = *thread.find("sched_policy");
    diagnostics_.add(DiagnosticCode::ThreadPolicy, *policy.value,
                     called(graph_, thread) + ": " + what, std::move(hint));
  }

  void report_unused(const GraphComponent& thread, std::string_view key, const char* policies) {
    if (const ParameterAssignment* assignment = thread.find(key)) {
      diagnostics_.add(
          DiagnosticCode::ThreadSettings, assignment->key_location, length_of(key),
          called(graph_, thread) + ": " + std::string(key) + " has no effect without " + policies,
          "set sched_policy, or remove it");
    }
  }

  void check_pinned(const GraphComponent& thread) {
    for (const std::string_view key : {"pin_cores", "sched_policy"}) {
      const ParameterAssignment* assignment = thread.find(key);
      const bool is_set = assignment != nullptr &&
                          !(assignment->value->is_sequence() && assignment->value->size() == 0);
      if (is_set) {
        if (const std::string reason = why_not_pinned(thread); !reason.empty()) {
          diagnostics_.add(
              DiagnosticCode::ThreadSettings, assignment->key_location, length_of(key),
              called(graph_, thread) + ": " + std::string(key) + " has no effect: " + reason,
              "an entity has a thread of its own with pin_entity, a ThreadPool in its "
              "group, and a scheduler with several threads");
        }
      }
    }
  }

  /// Empty when the entity gets a thread of its own.
  std::string why_not_pinned(const GraphComponent& thread) const {
    const GraphEntity& entity = graph_.entities[thread.entity];
    const std::string name = in_quotes(entity.name);
    if (!bool_parameter(thread, "pin_entity").value_or(true)) {
      return "pin_entity is false";
    }
    const auto is_pool = [&](ComponentId id) {
      return is_a(graph_.components[id], "gxr::ThreadPool");
    };
    if (std::ranges::none_of(graph_.groups[entity.group].resources, is_pool)) {
      return "no ThreadPool is in the group of entity " + name;
    }
    return one_thread_ ? "a GreedyScheduler has one thread for all entities" : "";
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  bool one_thread_ = false;
};

}  // namespace

void threads(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  ThreadChecker checker(graph, catalog, diagnostics);
  for (const GraphComponent& component : graph.components) {
    if (has_thread_parameters(component)) {
      checker.check(component);
    }
  }
}

}  // namespace gxr::passes
