#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/export.hpp"
#include "gxr/message_account.hpp"
#include "gxr/run_status.hpp"

namespace gxr {

/// Why a run ended.
enum class EndReason : std::uint8_t {
  Completed,  ///< nothing can run any more, all queues are empty, and something finished or nothing
              ///< is left
  Deadlock,   ///< nothing can run any more, but messages are left or nothing ever finished
  Duration,   ///< the scheduler's max_duration_ms passed
  Interrupted,  ///< a signal, or a codelet that asked for it
  Failed,       ///< a component failed
};
GXR_API const char* to_string(EndReason reason) noexcept;  ///< "completed", …

/// A component call that failed.
struct Failure {
  std::string entity;                   ///< its name
  std::string component;                ///< name, may be empty
  std::string type;                     ///< registered name
  std::string method;                   ///< "initialize", "tick", …
  std::string text;                     ///< what the component said
  ErrorCode code = ErrorCode::Failure;  ///< of the Error; Failure for other exceptions
};
/// "tick of entity 'a', component 'b' (type): text"
GXR_API std::string describe(const Failure& failure);

/// An entity that had not finished and could not go on when the run ended.
struct WaitingEntity {
  std::string entity;                ///< its name
  std::vector<std::string> reasons;  ///< one a scheduling term that is not ready
};

/// Messages that nobody took.
struct UnreadMessages {
  std::string queue;      ///< "entity/component"; also a component that keeps messages
  std::size_t count = 0;  ///< how many messages
};

/// Messages that a queue's policy dropped, or for which a queue had no room.
struct DroppedMessages {
  std::string queue;        ///< "entity/component"
  std::uint64_t count = 0;  ///< how many messages
};

/// Messages that a component discarded on purpose.
struct DiscardedMessages {
  std::string component;  ///< "entity/component", or a region
  Discard discard;        ///< how many, and why
};

/// What an entity did.
struct EntityStatistics {
  std::string entity;           ///< its name
  std::string codelet_type;     ///< type of its first codelet
  std::uint64_t ticks = 0;      ///< how often it ticked
  std::int64_t total_ns = 0;    ///< time inside ticks; 0 when not measured
  std::int64_t longest_ns = 0;  ///< of one tick; 0 when not measured
  // Work of its ticks on CUDA streams, by the GPU's clock: from the moment at which a tick's work
  // could begin to the end of the work; 0 when not measured.
  std::uint64_t device_ticks = 0;      ///< ticks whose work was measured
  std::int64_t device_total_ns = 0;    ///< of all their work
  std::int64_t device_longest_ns = 0;  ///< of the work of one tick
};

/// What a CUDA graph did.
struct GraphStatistics {
  std::string region;            ///< its name
  std::uint64_t iterations = 0;  ///< that ended
  /// From the first to the end of the last, by the GPU's clock; 0 when the host launches it.
  std::int64_t duration_ns = 0;
  bool loops = true;  ///< on the GPU; else the host launches it
  /// Device memory that the region took: its arena, inputs and outputs with their slots, staging
  /// buffers, and what controls it, with the room to choose their place from. Messages, memory that
  /// operators give to their ports, and what the driver keeps for the graph, are not in it.
  std::uint64_t memory_bytes = 0;
  // How often new values of parameters were brought into the graph, and by what.
  std::uint64_t parameter_sets = 0;  ///< times that kernels got others to read, without new nodes
  std::uint64_t node_updates = 0;    ///< new parameters for nodes of the graph
  std::uint64_t graph_updates = 0;   ///< an update of the whole graph
  std::uint64_t instantiations = 0;  ///< another instantiation: CUDA could not update it
  /// Its operators were watched while they were captured: none put work on other streams, where it
  /// would be no part of the graph. Only a run that checks streams does so, where CUPTI is there.
  bool captures_checked = false;
  /// Iterations that took longer than `iteration_timeout_us`, of a graph that loops.
  std::uint64_t late = 0;
  /// Turns of an Every with `launch: sibling` at which its body still ran.
  std::uint64_t left_out = 0;
  /// Iterations for which an input was late by `input_timeout_ms`, of a graph that loops; or, when
  /// late ones are skipped, how often messages were dropped for that.
  std::uint64_t late_inputs = 0;
  // Of a graph with `instrument_every`: the last iterations that were measured, some thousand.
  std::uint64_t measured = 0;    ///< how many
  std::int64_t measured_ns = 0;  ///< of all of them, from the begin to the end of the last operator
  std::vector<OperatorStatistics> operators = {};  ///< in the order of the graph
  std::int32_t device = 0;                         ///< number of the GPU that ran it
};

/// Device memory that a GPU keeps for CUDA graphs which allocate memory themselves.
struct GraphMemory {
  int device = 0;                    ///< number of the GPU
  std::uint64_t reserved_bytes = 0;  ///< taken from the device
  std::uint64_t used_bytes = 0;      ///< of them, by graphs
};

/// What `--verify` found to be the same on CPU and GPU.
struct VerifiedResults {
  std::uint64_t results = 0;    ///< how many
  std::uint64_t operators = 0;  ///< that they are of
  /// Regions that are CUDA graphs in other runs. A graph has nothing to compare, so in this one
  /// their operators worked one by one.
  std::vector<std::string> graphs_left_out = {};
};

/// What happened in a run.
struct Report {
  EndReason reason = EndReason::Completed;   ///< why the run ended
  std::string detail;                        ///< one line on the reason, may be empty
  bool by_signal = false;                    ///< Interrupted by a signal rather than by a codelet
  std::vector<Failure> failures;             ///< the first is the cause
  std::vector<WaitingEntity> waiting;        ///< whatever the reason of the end
  std::vector<UnreadMessages> unread;        ///< likewise
  std::vector<DroppedMessages> dropped;      ///< by queues, for lack of room
  std::vector<DiscardedMessages> discarded;  ///< by components, on purpose
  std::vector<EntityStatistics> entities;    ///< in activation order
  std::vector<GraphStatistics> graphs;       ///< of regions that are CUDA graphs and were built
  std::vector<GraphMemory> graph_memory;     ///< of GPUs with such regions that keep any
  std::int64_t duration_ns = 0;              ///< real time from the first start() to the end
  bool ran = true;  ///< false: a component failed before the first start(), so nothing was counted
  bool measured = false;  ///< entity times are valid
  /// The entities as they were at the end, with their queues; paths and allocators.
  RunStatus last_status;
  /// Work on a GPU does not end: a loop, a graph that was launched there, or other work when the
  /// run was to end early (Application::end_patience). The process can only be ended without
  /// destructors (std::_Exit): CUDA would wait for the work.
  bool gpu_hangs = false;
  std::optional<VerifiedResults> verified;  ///< in a run that was to verify
};

}  // namespace gxr
