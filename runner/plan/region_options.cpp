#include "plan/region_options.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/text.hpp"

namespace gxr {
namespace {

/// Of loops with data-ready handlers, or that begin with any input: see DeviceLoopOptions.
constexpr std::size_t kMostPorts = 31;

struct Contradiction {
  const char* parameter;  ///< one of those that it is about
  std::string text;       ///< behind "the region asks for "
  std::string hint = {};
};
using Found = std::optional<Contradiction>;

/// What a graph that the host launches does not do.
std::vector<Contradiction> only_in_loops(const GraphOptions& options) {
  const GraphOptions usual;
  const std::pair<bool, const char*> asked[] = {
      {options.ready != usual.ready, "ready"},
      {options.missing_data != usual.missing_data, "missing_data"},
      {options.input_timeout != usual.input_timeout, "input_timeout_ms"},
      {options.timeout != usual.timeout, "timeout_ms"},
      {options.iteration_timeout != usual.iteration_timeout, "iteration_timeout_us"},
      {options.host_driven, "host_driven"}};
  std::vector<Contradiction> found;
  for (const auto& [is_asked, parameter] : asked) {
    if (is_asked) {
      found.push_back({parameter,
                       in_quotes(parameter) + ", which a graph that the host launches does not do",
                       "leave it out, or let the graph loop on the GPU: 'mode: resident'"});
    }
  }
  return found;
}

Found measured_and_shaped(const GraphRegion& region, const std::string& loop, bool has_one_body) {
  const GraphOptions& options = region.options;
  if (options.instrument_every > 1 && !region.handlers.empty()) {
    return Contradiction{"instrument_every",
                         "'instrument_every: " + std::to_string(options.instrument_every) +
                             "', but with data-ready handlers each iteration is measured, or none",
                         "write 'instrument_every: 1', or 0"};
  }
  if (options.instrument_every > 0 && has_one_body) {
    return Contradiction{
        "instrument_every",
        "'instrument_every' and " + loop +
            ", which cannot choose between iterations that are measured and others",
        "leave 'loop' out"};
  }
  if (has_one_body && options.unroll > 1) {
    return Contradiction{"unroll", loop + " and 'unroll'; only 'control_at_end' is unrolled",
                         "leave one of the two out"};
  }
  return std::nullopt;
}

/// Why the graph of an iteration cannot be launched from the GPU.
Found not_launched(const GraphRegion& region, const std::string& loop) {
  const auto in_iteration = [](const GraphBranch& branch) {
    return branch.launch == BranchLaunch::InIteration;
  };
  if (region.options.loop != GraphLoop::TailLaunch) {
    return std::nullopt;
  }
  if (std::ranges::none_of(region.branches, in_iteration)) {
    if (region.branches.size() <= kMostLaunchedBranches) {
      return std::nullopt;
    }
    return Contradiction{"loop",
                         loop + ", but it launches at most " +
                             std::to_string(kMostLaunchedBranches) +
                             " branches as graphs of their own",
                         "with 'loop: auto' they run in the iteration"};
  }
  const bool has_every = std::ranges::find(region.branches, BranchKind::Every,
                                           &GraphBranch::kind) != region.branches.end();
  return Contradiction{
      "loop", loop + ", but CUDA does not launch graphs with decisions in them from the GPU",
      std::string("leave 'loop' out") +
          (has_every ? ", or make the body of the gxr::cuda::Every a graph of its own by 'launch'"
                     : "")};
}

Found not_with_handlers(const GraphRegion& region) {
  const GraphOptions& options = region.options;
  if (!region.handlers.empty() && (options.loop != GraphLoop::Auto || options.unroll > 1)) {
    const char* const parameter = options.unroll > 1 ? "unroll" : "loop";
    return Contradiction{
        parameter,
        in_quotes(parameter) + ", but its data-ready handlers give the loop a shape of its own",
        "leave it out"};
  }
  const std::size_t ports = region.inputs.size() + region.outputs.size() + region.handlers.size();
  if (ports > kMostPorts && (!region.handlers.empty() || options.ready == GraphReady::Any)) {
    return Contradiction{options.ready == GraphReady::Any ? "ready" : "entities",
                         std::to_string(ports) +
                             " inputs, outputs and data-ready handlers; with handlers, or "
                             "'ready: any', it can have " +
                             std::to_string(kMostPorts)};
  }
  return std::nullopt;
}

/// Why a loop that is told when inputs are late cannot tell.
Found not_late(const GraphRegion& region) {
  const GraphOptions& options = region.options;
  if (options.input_timeout.count() == 0) {
    if (options.missing_data == MissingData::Wait) {
      return std::nullopt;
    }
    return Contradiction{"missing_data", "'missing_data', but not when an input is late",
                         "say that by 'input_timeout_ms'"};
  }
  if (region.inputs.empty()) {
    return Contradiction{"input_timeout_ms", "'input_timeout_ms', but no messages come in",
                         "leave it out"};
  }
  if (options.ready == GraphReady::Any || !region.handlers.empty()) {
    return Contradiction{"input_timeout_ms",
                         std::string("'input_timeout_ms' and ") +
                             (region.handlers.empty() ? "'ready: any'" : "data-ready handlers") +
                             ", which wait for no single input",
                         "leave 'input_timeout_ms' out"};
  }
  return std::nullopt;
}

Found not_with_any(const GraphOptions& options) {
  if (options.ready == GraphReady::Any && options.unroll > 1) {
    return Contradiction{
        "unroll", "'ready: any' and 'unroll'; how many iterations can begin is not known then",
        "leave one of the two out"};
  }
  if (options.ready == GraphReady::Any && options.host_driven) {
    return Contradiction{
        "ready", "'ready: any' and 'host_driven', of which every call is to be one iteration",
        "leave 'ready' out"};
  }
  return std::nullopt;
}

/// The first that there is.
Found of_loop(const GraphRegion& region) {
  const GraphLoop shape = region.options.loop;
  const bool has_one_body = shape == GraphLoop::HeadTail || shape == GraphLoop::TailLaunch;
  const std::string loop =
      std::string("'loop: ") + (shape == GraphLoop::HeadTail ? "head_tail" : "tail_launch") + "'";
  for (const Found& found :
       {measured_and_shaped(region, loop, has_one_body), not_launched(region, loop),
        not_with_handlers(region), not_late(region), not_with_any(region.options)}) {
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace

void check_options(const Graph& graph, const Region& region, Diagnostics& diagnostics) {
  const GraphRegion& found = *region.graph;
  std::vector<Contradiction> contradictions;
  if (region.executor == ExecutorKind::Graph) {
    contradictions = only_in_loops(found.options);
  } else if (found.options.host_driven && !found.inputs.empty()) {
    contradictions.push_back(
        {"host_driven", "'host_driven', but messages that come in drive it", "leave it out"});
  } else if (Found why = of_loop(found)) {
    contradictions.push_back(std::move(*why));
  }
  for (const Contradiction& each : contradictions) {
    const std::string text = "CUDA graph " + in_quotes(region.name) + " asks for " + each.text;
    const GraphComponent* const executor =
        region.declared_by == kNone ? nullptr : &graph.components[region.declared_by];
    const ParameterAssignment* const given =
        executor == nullptr ? nullptr : executor->find(each.parameter);
    if (given != nullptr) {
      diagnostics.add(DiagnosticCode::RegionOptions, *given->value, text, each.hint);
    } else {
      const GraphEntity& first = graph.entities[found.steps.front().entity];
      const Location where = executor != nullptr ? executor->where : first.where;
      diagnostics.add(DiagnosticCode::RegionOptions, where, 1, text, each.hint);
    }
  }
}

}  // namespace gxr
