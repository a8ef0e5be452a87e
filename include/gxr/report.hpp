#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/export.hpp"

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
  std::string entity;
  std::string component;  ///< name, may be empty
  std::string type;
  std::string method;  ///< "initialize", "tick", …
  std::string text;
  ErrorCode code = ErrorCode::Failure;
};
/// "tick of entity 'a', component 'b' (type): text"
GXR_API std::string describe(const Failure& failure);

/// An entity that could not go on when the run ended.
struct WaitingEntity {
  std::string entity;
  std::vector<std::string> reasons;  ///< one a scheduling term that is not ready
};

/// Messages that nobody took.
struct UnreadMessages {
  std::string queue;  ///< "entity/component"
  std::size_t count = 0;
};

/// Messages that a queue's policy dropped.
struct DroppedMessages {
  std::string queue;
  std::uint64_t count = 0;
};

struct EntityStatistics {
  std::string entity;
  std::string codelet_type;  ///< type of its first codelet
  std::uint64_t ticks = 0;
  std::int64_t total_ns = 0;  ///< time inside ticks; 0 when not measured
  std::int64_t longest_ns = 0;
};

/// What a CUDA graph that loops on the GPU did.
struct GraphStatistics {
  std::string region;
  std::uint64_t iterations = 0;
  std::int64_t duration_ns = 0;  ///< from the first to the end of the last, by the GPU's clock
};

/// What `--verify` found to be the same on CPU and GPU.
struct VerifiedResults {
  std::uint64_t results = 0;
  std::uint64_t operators = 0;  ///< that they are of
  /// Regions that are CUDA graphs in other runs. A graph has nothing to compare, so in this one
  /// their operators worked one by one.
  std::vector<std::string> graphs_left_out = {};
};

/// What happened in a run.
struct Report {
  EndReason reason = EndReason::Completed;
  std::string detail;             ///< one line on the reason, may be empty
  bool by_signal = false;         ///< Interrupted by a signal rather than by a codelet
  std::vector<Failure> failures;  ///< the first is the cause
  std::vector<WaitingEntity> waiting;
  std::vector<UnreadMessages> unread;
  std::vector<DroppedMessages> dropped;
  std::vector<EntityStatistics> entities;  ///< in activation order
  std::vector<GraphStatistics> graphs;     ///< of regions that loop on a GPU
  std::int64_t duration_ns = 0;            ///< real time from the first start() to the end
  bool ran = true;  ///< false: a component failed before the first start(), so nothing was counted
  bool measured = false;  ///< entity times are valid
  /// A loop on a GPU does not end. The process can only be ended without destructors (std::_Exit):
  /// CUDA would wait for the loop.
  bool gpu_hangs = false;
  std::optional<VerifiedResults> verified;  ///< in a run that was to verify
};

}  // namespace gxr
