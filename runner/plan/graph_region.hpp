#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/graph_options.hpp"
#include "graph/graph.hpp"
#include "gxr/graph_operator.hpp"
#include "plan/branches.hpp"

namespace gxr {

using StepId = std::uint32_t;    ///< an index in GraphRegion::steps
using TensorId = std::uint32_t;  ///< an index in GraphRegion::tensors

/// One operator of a CUDA-graph region.
struct GraphStep {
  EntityId entity = kNone;
  ComponentId codelet = kNone;       ///< a GraphOperator
  std::vector<StepId> predecessors;  ///< whose tensors it reads; ascending, each once
  std::vector<TensorId> reads;       ///< ascending, each once
  std::vector<TensorId> writes;      ///< one for each of its transmitters
  /// Iterations after which it is done, of a CountSchedulingTerm; only of a step that has no
  /// predecessor.
  std::optional<std::uint64_t> count;
  bool answered = false;  ///< its infer() has told all it has to tell
  GraphTraits traits;     ///< known when infer() was asked
  /// The bytes that its kernels read of its parameters, now; empty: they are parts of the nodes.
  std::vector<std::byte> parameters;
  /// It runs whenever the loop polls for input, before all that do not.
  bool polls = false;
  std::vector<BranchPlace> around;  ///< branch bodies, outermost first
};

/// An operator that writes a tensor.
struct TensorWriter {
  ComponentId transmitter = kNone;
  StepId step = kNone;
};

/// A branch: decided while an iteration runs, by a tensor or, of an Every, by its number. Its
/// steps, if it has any, follow each other in GraphRegion::steps.
struct GraphBranch {
  BranchKind kind = BranchKind::If;
  ComponentId component = kNone;
  TensorId selector = kNone;  ///< whose one element decides; kNone: an Every
  /// Its writer; others may write the same tensor in turn.
  TensorWriter decided_by;
  std::uint32_t alternatives = 0;
  BranchPlace parent;       ///< in GraphRegion::branches
  std::uint64_t limit = 0;  ///< of a While: runs of its body in an iteration; 0: none
  /// Of an Every: its body runs in iterations `first`, `first` + `count`, ...; at least 1.
  std::uint64_t count = 1;
  std::uint64_t first = 0;                          ///< iterations are counted from 0
  BranchLaunch launch = BranchLaunch::InIteration;  ///< of an Every
};

/// A gxr::cuda::DataReadyHandler: an operator that says whether another one has input.
struct GraphHandler {
  ComponentId component = kNone;
  StepId step = kNone;    ///< the operator of its entity, which polls
  StepId source = kNone;  ///< the other one, which does not
};

/// Memory that has the same address in every iteration.
struct GraphTensor {
  enum class Place : std::uint8_t {
    Arena,  ///< at `offset` of the region's arena
    Slot,   ///< in GraphOptions::slots copies outside of it: comes from elsewhere or goes there
  };

  ComponentId transmitter = kNone;  ///< of the operator that writes it; kNone for an input
  StepId producer = kNone;          ///< the step of that operator; kNone for an input
  /// Others that write it, in other bodies of a branch: one of them runs in an iteration.
  std::vector<TensorWriter> in_turn;
  /// It is read in iterations in which no step may have written it: it keeps what it held.
  bool lasts = false;
  /// The tensor whose content of the time before this one has, by a connection that is delayed;
  /// this one has no writer then.
  TensorId delays = kNone;
  /// Nothing is connected to its one receiver: a program that drives the graph writes it. It has no
  /// writer, too.
  bool by_program = false;
  /// Of one that delays another, or that a program writes: `spec` is what 'inputs' says.
  bool spec_is_given = false;
  bool in_place = false;  ///< in its memory: all that read this one end before that is written
  std::vector<ComponentId> receivers;  ///< of operators of the region that read it
  std::vector<StepId> consumers;       ///< the steps of those, in the same order
  std::vector<ComponentId> passed;     ///< queues on its way of entities that were dissolved
  std::optional<TensorSpec> spec;      ///< none while unknown
  /// Device ports at its ends that say how large it is; `spec` is theirs if it is not known
  /// otherwise.
  std::vector<ComponentId> declared_by;
  bool spec_is_declared = false;  ///< `spec` comes from device ports alone
  bool only_bytes = false;        ///< of `spec` only the size counts
  /// The device port of the region whose operator gives the memory; kNone: the region does.
  ComponentId owner = kNone;
  Place place = Place::Arena;
  std::uint64_t offset = 0;  ///< bytes from the arena's begin, a multiple of 256; without an owner
};

/// Memory for the intermediate results of a step.
struct GraphScratch {
  StepId step = kNone;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  ///< in the arena, a multiple of 256
};

/// What comes from outside: one transmitter there, and the ways from it into the region. A way may
/// end at a receiver of an entity that was dissolved.
struct GraphInput {
  TensorId tensor = kNone;
  std::vector<Link> links;
  bool from_graph = false;  ///< another CUDA graph makes it
};

/// What goes to entities outside: the ways on which it leaves, which may begin at a transmitter of
/// an entity that was dissolved.
struct GraphOutput {
  TensorId tensor = kNone;
  std::vector<Link> links;
};

/// What a region is made of that runs as one CUDA graph.
struct GraphRegion {
  GraphOptions options;
  /// `--executor auto`: the planner takes Resident when all shapes are known before the run, else
  /// Graph.
  bool chooses_mode = false;
  /// The input whose timestamp and sequence number go on to the outputs, an index in `inputs`;
  /// meaningless without inputs.
  std::size_t timestamp_from = 0;
  /// The gxr::cuda::CudaGreenContext whose SMs it runs on; kNone: all.
  ComponentId green_context = kNone;

  std::vector<GraphStep> steps;  ///< in an order in which they can run; those that poll come first
  std::vector<GraphHandler> handlers;
  std::vector<GraphBranch> branches;
  std::vector<GraphTensor> tensors;
  std::vector<GraphScratch> scratch;  ///< of the steps that ask for any
  std::vector<GraphInput> inputs;
  std::vector<GraphOutput> outputs;
  /// Entities that only pass messages on (Forward, Broadcast): edges took their place.
  std::vector<EntityId> dissolved;

  /// All tensors have a spec, and the arena is laid out. If not, that is done when the first
  /// message of every input is there.
  bool laid_out = false;
  std::uint64_t arena_bytes = 0;
  std::uint64_t buffer_bytes = 0;  ///< of all tensors and scratch in the arena, without sharing
  /// The arena cannot be smaller: buffers that are in use at the same time.
  std::uint64_t lower_bound_bytes = 0;
};

}  // namespace gxr
