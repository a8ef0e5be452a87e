#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "device/graph_options.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

using NodeId = std::size_t;      ///< an index in DeviceProgram::nodes
using BufferId = std::uint32_t;  ///< an index in DeviceProgram::buffers
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr BufferId kNoBuffer = std::numeric_limits<BufferId>::max();

/// Where a node stands: in a body of a branch, or, without a branch, in the iteration itself.
struct DeviceBody {
  NodeId branch = kNoNode;   ///< in front of all nodes of its bodies
  std::uint32_t number = 0;  ///< of an If 0 is 'then' and 1 'else'; of a While and an Every 0

  [[nodiscard]] bool is_iteration() const noexcept { return branch == kNoNode; }
  bool operator==(const DeviceBody&) const = default;
};

/// How it is decided on the GPU which body of a branch runs.
struct DeviceBranch {
  BranchKind kind = BranchKind::If;
  std::uint32_t bodies = 1;  ///< of an If 1 or 2, of a While and an Every 1
  /// Has the one element that decides, read before the branch begins, of a While after each run of
  /// its body. An Every has none.
  BufferId selector = kNoBuffer;
  ElementType type = ElementType::Int32;  ///< of that element: a whole number
  std::uint64_t limit = 0;                ///< of a While: runs of its body; 0: no limit
  /// Of an Every: its body runs in iterations `first`, `first` + `count`, ...; `count` is not 0.
  std::uint64_t count = 1;
  std::uint64_t first = 0;
  BranchLaunch launch = BranchLaunch::InIteration;  ///< of an Every

  bool operator==(const DeviceBranch&) const = default;
};

/// One part of an iteration. Of its fields those of other kinds have their defaults.
struct DeviceNode {
  enum class Kind : std::uint8_t {
    Operator,  ///< what a GraphOperator captured
    Copy,      ///< from the one buffer that it reads to the one that it writes
    Branch,    ///< one of its bodies runs, or none does
  };

  Kind kind = Kind::Operator;
  DeviceBody body = {};
  std::vector<NodeId> after = {};         ///< nodes of the same body that end before; ascending
  std::vector<BufferId> reads = {};       ///< ascending
  std::vector<BufferId> writes = {};      ///< of an operator: by transmitter
  std::vector<std::size_t> inputs = {};   ///< of DeviceProgram::inputs, those that it reads
  std::vector<std::size_t> outputs = {};  ///< of DeviceProgram::outputs, those that it writes
  /// Of a copy: a branch that is BranchLaunch::Sibling. This copies what its body reads, or, in its
  /// body, what that has written and others read.
  NodeId crosses = kNoNode;

  // Of an operator:
  GraphTraits traits = {};
  /// It runs whenever the loop polls for input, before all that do not, and may ring a doorbell.
  /// Not in a body.
  bool polls = false;
  bool enabled = true;                      ///< else it does nothing, or passes its first input on
  std::optional<std::uint64_t> limit = {};  ///< iterations after which the program has ended
  BufferId scratch = kNoBuffer;             ///< for its intermediate results
  /// The bytes that its kernels read of its parameters; empty: parameters are parts of the capture.
  std::vector<std::byte> parameters = {};
  BufferId parameters_set = kNoBuffer;   ///< where these bytes are put
  BufferId parameters_read = kNoBuffer;  ///< where its kernels read them: there, or in a copy
  /// Another number whenever it would capture something else, since its parameters have changed.
  std::uint64_t revision = 0;

  DeviceBranch branch = {};  ///< of a branch

  std::uint32_t planned = kNoBuffer;  ///< its number in the plan: of a step, or of a branch

  bool operator==(const DeviceNode&) const = default;
};

/// Memory that has the same address in every iteration.
struct DeviceBuffer {
  enum class Place : std::uint8_t {
    Arena,       ///< at `offset` of the one block that most buffers share
    Own,         ///< a block of its own: of inputs, outputs and parameters
    OfOperator,  ///< memory that an operator's device port gives
    Same,        ///< where `same_as` lies: what that held before it is written again
  };

  std::optional<std::uint64_t> bytes = {};  ///< none while unknown
  Place place = Place::Arena;
  std::uint64_t offset = 0;  ///< a multiple of 256
  BufferId same_as = kNoBuffer;
  bool lasts = false;  ///< keeps what it holds from one iteration to the next
  /// The tensor in it, as TensorSpec::to_string() writes it; empty: it has none, or it is unknown.
  std::string tensor = {};

  bool operator==(const DeviceBuffer&) const = default;
};

/// An operator that tells the loop, when it polls, that another one has input.
struct DeviceDoorbell {
  NodeId node = kNoNode;
  NodeId source = kNoNode;

  bool operator==(const DeviceDoorbell&) const = default;
};

/// All that runs on a GPU as one CUDA graph, without an address: made by make_program(), and
/// brought to the GPU by a DeviceGraph, which the host launches for each iteration, or a
/// DeviceLoop. A value: two that compare equal do the same.
struct DeviceProgram {
  GraphOptions options;
  std::vector<DeviceNode> nodes;  ///< in an order in which they can run
  std::vector<DeviceBuffer> buffers;
  std::vector<BufferId> inputs;   ///< filled from outside, one for each transmitter there
  std::vector<BufferId> outputs;  ///< read outside
  std::vector<DeviceDoorbell> doorbells;
  std::uint64_t arena_bytes = 0;
  bool laid_out = false;  ///< all sizes and offsets are known

  bool operator==(const DeviceProgram&) const = default;
};

/// "then", "else", "case 2", "body".
std::string body_name(BranchKind kind, std::uint32_t number);

/// The outermost branch around a node that is launched as a graph of its own; kNoNode: there is
/// none.
NodeId launched_around(const DeviceProgram& program, NodeId id);

/// The program as text, a line for each node and buffer, for tests. Numbers are NodeIds and
/// BufferIds.
std::string to_text(const DeviceProgram& program);

}  // namespace gxr
