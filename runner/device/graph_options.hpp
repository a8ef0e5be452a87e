#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "device/branch_kind.hpp"
#include "gxr/parameter.hpp"
#include "gxr/resident_graph.hpp"

namespace gxr {

/// The starter of the iterations of a CUDA-graph region.
enum class GraphMode : std::uint8_t {
  Resident,  ///< launched once; loops on the GPU
  Graph,     ///< launched by the host, once for each iteration
};

/// How a resident graph loops.
enum class GraphLoop : std::uint8_t {
  Auto,          ///< by what drives the region
  HeadTail,      ///< a kernel at each end of the body: one waits for input, one publishes
  ControlAtEnd,  ///< one kernel at the end of the body does both
  TailLaunch,    ///< the graph launches itself again, without a WHILE node
};

/// When an iteration of a region with several inputs begins.
enum class GraphReady : std::uint8_t {
  All,  ///< when every input has a message
  Any,  ///< when one has; the others show their last one
};

/// What a loop does when an input has no message in time.
enum class MissingData : std::uint8_t {
  Wait,   ///< goes on waiting
  Hold,   ///< takes the last message once more
  Skip,   ///< drops the messages that the other inputs have
  Fault,  ///< ends the run with an error
};

/// How long a loop pauses between two polls for input while there is none.
enum class GraphPause : std::uint8_t {
  Growing,  ///< not at first, then longer and longer, up to the sleep interval
  Fixed,    ///< always the sleep interval
};

/// Memory-sync domain of kernels: a fence waits for memory traffic of its own domain only.
enum class MemorySyncDomain : std::uint8_t {
  Default,  ///< that of kernels without such an attribute
  Remote,   ///< the other one, on GPUs that have several
};

template <>
struct EnumNames<GraphMode> {
  static constexpr std::pair<GraphMode, const char*> values[] = {{GraphMode::Resident, "resident"},
                                                                 {GraphMode::Graph, "graph"}};
};
template <>
struct EnumNames<GraphLoop> {
  static constexpr std::pair<GraphLoop, const char*> values[] = {
      {GraphLoop::Auto, "auto"},
      {GraphLoop::HeadTail, "head_tail"},
      {GraphLoop::ControlAtEnd, "control_at_end"},
      {GraphLoop::TailLaunch, "tail_launch"}};
};
template <>
struct EnumNames<BranchKind> {
  static constexpr std::pair<BranchKind, const char*> values[] = {{BranchKind::If, "if"},
                                                                  {BranchKind::Switch, "switch"},
                                                                  {BranchKind::While, "while"},
                                                                  {BranchKind::Every, "every"}};
};
template <>
struct EnumNames<BranchLaunch> {
  static constexpr std::pair<BranchLaunch, const char*> values[] = {
      {BranchLaunch::InIteration, "in_iteration"},
      {BranchLaunch::FireAndForget, "fire_and_forget"},
      {BranchLaunch::Sibling, "sibling"}};
};
template <>
struct EnumNames<GraphStop> {
  static constexpr std::pair<GraphStop, const char*> values[] = {{GraphStop::Drain, "drain"},
                                                                 {GraphStop::Abort, "abort"}};
};
template <>
struct EnumNames<GraphReady> {
  static constexpr std::pair<GraphReady, const char*> values[] = {{GraphReady::All, "all"},
                                                                  {GraphReady::Any, "any"}};
};
template <>
struct EnumNames<MissingData> {
  static constexpr std::pair<MissingData, const char*> values[] = {{MissingData::Wait, "wait"},
                                                                   {MissingData::Hold, "hold"},
                                                                   {MissingData::Skip, "skip"},
                                                                   {MissingData::Fault, "fault"}};
};
template <>
struct EnumNames<GraphPause> {
  static constexpr std::pair<GraphPause, const char*> values[] = {{GraphPause::Growing, "growing"},
                                                                  {GraphPause::Fixed, "fixed"}};
};
template <>
struct EnumNames<MemorySyncDomain> {
  static constexpr std::pair<MemorySyncDomain, const char*> values[] = {
      {MemorySyncDomain::Default, "default"}, {MemorySyncDomain::Remote, "remote"}};
};

/// The word for a value of these enumerations.
template <class E>
constexpr const char* name_of(E value) noexcept {
  for (const auto& [known, name] : EnumNames<E>::values) {
    if (known == value) {
      return name;
    }
  }
  return "unknown";
}

/// Tensors of up to so many bytes cross between the host and a graph on the shortest way; larger
/// ones are copied by a copy engine while iterations run, which is slower to start, and faster from
/// here on.
inline constexpr std::size_t kMostSmallTensorBytes = 32 * 1024;

/// How a CUDA-graph region runs; the parameters of gxr::cuda::GraphExecutor.
struct GraphOptions {
  GraphMode mode = GraphMode::Resident;
  std::int32_t device = 0;  ///< number of the GPU
  GraphLoop loop = GraphLoop::Auto;
  std::uint32_t unroll = 1;  ///< copies of the body in one round of the loop, 1 to 64
  /// Copies of every input and output, 1 to 64, or twice `unroll`; of a graph that the host
  /// launches, buffers for each large input.
  std::uint32_t slots = 2;
  std::int32_t priority = 0;  ///< of the stream: lower is more urgent, as in CUDA
  MemorySyncDomain memory_sync_domain = MemorySyncDomain::Default;  ///< of all kernels
  std::chrono::nanoseconds timeout{0};                              ///< of a run; 0: none
  std::chrono::nanoseconds iteration_timeout{0};                    ///< of an iteration; 0: none
  /// Greatest pause between two polls for input while there is none.
  std::chrono::nanoseconds sleep_interval{500'000};
  GraphPause pause = GraphPause::Growing;
  bool host_driven = false;     ///< iterations begin when a program asks; see ResidentGraph
  bool sync_with_host = false;  ///< make all that an iteration wrote visible to the host at its end
  GraphStop on_stop = GraphStop::Drain;
  GraphReady ready = GraphReady::All;
  /// An input is late when it has no message for so long, while others have one, or, for Wait and
  /// Fault, since the iteration before got its own; 0: never.
  std::chrono::nanoseconds input_timeout{0};
  MissingData missing_data = MissingData::Wait;
  std::uint32_t instrument_every = 0;  ///< measure each operator in every n-th iteration; 0: never
  /// A graph hangs when no iteration ends for so long although there is work; 0: never.
  std::chrono::nanoseconds watchdog = std::chrono::seconds(10);

  bool operator==(const GraphOptions&) const = default;
};

}  // namespace gxr
