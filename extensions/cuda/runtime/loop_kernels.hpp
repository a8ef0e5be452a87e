#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Kernels that control a loop, and the words and tables that they share with the host. See
/// loop.hpp.

/// In device memory.
struct LoopState {
  std::uint64_t done;   ///< iterations; while one runs, its number
  std::uint64_t limit;  ///< the loop ends when so many are done; written by the host
  std::uint64_t sleep_interval_ns;
  std::uint64_t began_ns;  ///< of the GPU's global timer
  std::uint64_t ended_ns;
  std::uint64_t leaves;  ///< the head saw that the loop ends: the tail publishes nothing
  /// Not 0: when the limit is reached, inputs that are there then are still worked on, until so
  /// many iterations are done; written by the host before the limit.
  std::uint64_t drains;
  std::uint64_t drain_until;    ///< the limit that follows from that, and 1; 0: not known yet
  std::uint64_t idle_since_ns;  ///< of polls that found nothing; 0: the last one found something
  std::uint64_t beat_ns;        ///< the last LoopTable::heartbeat
  std::uint64_t turn_ns;        ///< when the iteration that runs began, if that has a limit
  std::uint64_t late;           ///< iterations that took longer
  std::uint64_t parameters;     ///< the version of LoopTable that the iteration has
  std::uint64_t measured_next;  ///< iteration, behind one that is measured; said by that one
  std::uint64_t siblings;       ///< were launched since the loop was begun, or begun anew
  std::uint64_t trip_ns;        ///< when the last round, or iteration outside one, began; 0: never
  std::uint64_t trip_from;      ///< its first iteration
  unsigned long long went_on;   ///< iterations whose begin was launched with the one before
  std::uint64_t is_over;        ///< of a loop that launches itself: it does not any more
};

/// Of a loop that launches itself: the body of an Every that is a graph of its own.
struct LaunchedBody {
  cudaGraphExec_t graph;
  cudaGraphExec_t in;   ///< copies its inputs; nullptr: there are none. Of a sibling, as `out`
  cudaGraphExec_t out;  ///< copies its results
  std::uint64_t count;  ///< from one turn to the next, in iterations
  bool is_sibling;      ///< else the next iteration waits for it
};

/// The state of a launched body, as the control kernels know it.
struct LaunchedBodyState {
  std::uint64_t turn;       ///< the iteration whose turn it is, or was last; its kernels read it
  std::uint64_t next_turn;  ///< the first one that has not come to its end, or, of a sibling, begin
  // Of a sibling:
  std::uint64_t is_due;  ///< it is launched when the next iteration begins
  std::uint64_t launched;
  std::uint64_t ended;          ///< written by its last kernel: the value of `launched` then
  std::uint64_t taken;          ///< of those launched, whose results were copied
  std::uint64_t left_out;       ///< turns at which it could not be launched
  std::uint64_t left_out_turn;  ///< the last of them
  std::uint64_t refused;        ///< how often CUDA has not launched it, one after the other
};

/// CUDA lets the graphs that one graph launches behind itself have 120 siblings, so the loop is
/// begun anew behind so many, to which each of the launched bodies may still add one.
constexpr std::uint64_t kMostSiblings = 90;
/// An iteration takes 5 us and more, so this is a tenth of a second.
constexpr std::uint64_t kMostRefused = 20'000;

/// Iteration n may begin when word + ahead > n. Of a LoopTable with `taken`, gates of inputs let an
/// iteration begin when word > taken.
struct LoopGate {
  const std::uint64_t* word;  ///< in device memory, or in page-locked memory of the host
  std::uint64_t ahead;
};

/// A port whose slots are in page-locked memory: the control kernels copy them.
struct LoopCopy {
  std::byte* slots;
  std::byte* tensor;
  std::uint64_t bytes;
  std::uint64_t stride;  ///< from slot to slot
  std::uint64_t input;   ///< of an input: its number
};

/// Parameters of pieces. The host writes them to page-locked memory, then says so by a new version.
struct LoopParameters {
  const std::byte* from;  ///< aligned to 16 bytes, as `to`
  std::byte* to;
  std::uint64_t bytes;
};

/// A parameter of the control kernels; the arrays are in device memory.
struct LoopTable {
  LoopState* state;
  std::uint64_t* finished;  ///< in page-locked memory
  /// In page-locked memory: the GPU's time of a poll that found nothing, one in a millisecond.
  std::uint64_t* heartbeat;
  const LoopGate* gates;  ///< the limit, inputs, doorbells, outputs
  std::uint64_t* seen;    ///< the last value that was seen of each gate's word
  const LoopCopy* inputs;
  const LoopCopy* outputs;
  /// Only of a loop that begins an iteration when any input is there, by input or doorbell:
  std::uint64_t* taken;   ///< how many were taken; nullptr: every iteration takes one of each
  std::uint64_t* is_new;  ///< 1 when the iteration that runs took one, else 0
  /// In page-locked memory: `taken` at the end of each of the last slots + 1 iterations.
  std::uint64_t* taken_log;
  /// In page-locked memory: why a loop that launches itself could not, or why one that does not
  /// could not switch kernels; a cudaError_t.
  std::uint64_t* launch_error;
  /// In page-locked memory: 1 when a loop that launches itself does not any more; siblings may run.
  std::uint64_t* over;
  /// Which parameters there are, in device memory; nullptr: none ever.
  const std::uint64_t* parameter_version;
  /// In page-locked memory, of the bytes in `parameters` there: odd while the host writes.
  const std::uint64_t* parameter_sequence;
  const LoopParameters* parameters;
  /// In device memory, of a loop that launches itself.
  const LaunchedBody* launched;
  LaunchedBodyState* launched_states;
  const cudaGraphExec_t* starter;  ///< the graph of First
  /// Of one whose iteration is several graphs, in device memory: the first of them, and others.
  const cudaGraphExec_t* stages;
  std::uint32_t launched_count;
  std::uint32_t parameter_count;
  std::uint32_t gate_count;
  std::uint32_t drive_count;  ///< inputs and doorbells
  std::uint32_t input_count;
  std::uint32_t output_count;
  std::uint32_t slots;
  std::uint32_t unroll;
  std::uint64_t iteration_of_round_ns;  ///< see DeviceLoopOptions; 0: whatever it takes
  std::uint32_t publishes;              ///< the host waits for the results
  std::uint32_t pause_is_fixed;         ///< 1: GraphPause::Fixed
  std::uint32_t instrument_every;       ///< iterations; 0: none is measured
  std::uint64_t iteration_timeout_ns;   ///< 0: none
};

/// The conditions that the control kernels set: of the loop, and of the loops in it. A loop that
/// measures begins each round with an iteration that is measured; in it stands the loop of those
/// that are not. When it is unrolled, there are two in it, one behind the other: of rounds of many
/// iterations, and of single ones.
struct LoopHandles {
  cudaGraphConditionalHandle all;
  cudaGraphConditionalHandle plain;  ///< of a loop that measures and is unrolled
  cudaGraphConditionalHandle many;
  cudaGraphConditionalHandle one;  ///< also of a loop that polls: of the iterations in it
  cudaGraphExec_t body;  ///< of a loop that launches itself: for First, in a graph of its own
};

/// Where in the loop a control kernel stands.
enum class LoopRole : std::uint8_t {
  First,     ///< before the loop: waits until the first iteration may begin
  Head,      ///< begins an iteration: waits until it may
  Tail,      ///< ends one
  Next,      ///< ends one and begins another, of which is known that it may
  End,       ///< ends one and waits until another may begin
  Measured,  ///< the same behind an iteration that is measured
  Close,     ///< ends one
  Poll,      ///< begins an iteration if it may
};

/// The kernel: (LoopTable, LoopHandles), one block. `any`: for a table with `taken`; there is no
/// Next. `launches`: First and End launch the graph of an iteration instead of setting conditions.
const void* control_kernel(LoopRole role, bool any, bool launches);

/// The graphs that may follow one of an iteration that is several: of each body of a branch, and,
/// behind those, for none.
struct LoopStages {
  const cudaGraphExec_t* ending;
  /// The last ones of an iteration, with the first one of the next behind each: when it is known
  /// that it may begin. nullptr: there are none.
  const cudaGraphExec_t* going_on;
};
/// Ends such a graph: launches the next one. (LoopTable, Choice, LoopStages), one warp.
const void* stage_kernel();
/// Of a loop that has siblings: launches the graph of First, and the graph that this kernel is in
/// behind all that follows from that, until the loop is over. (LoopTable), one thread.
const void* anew_kernel();
/// The last one of a sibling: (LaunchedBodyState*), one thread.
const void* sibling_end_kernel();

/// Copies between a tensor and the slot of the running iteration, all in device memory.
struct LoopMove {
  const LoopState* state;
  std::byte* slots;
  std::byte* tensor;
  std::uint64_t bytes;
  std::uint64_t stride;
  /// Of an input of a table with `taken`, both as there; nullptr: the iteration's number counts.
  const std::uint64_t* taken;
  const std::uint64_t* is_new;
  /// Of an input: the iteration whose number, and 1, is there finds it in the tensor; may be
  /// nullptr.
  const std::uint64_t* placed;
  std::uint32_t slot_count;
};
/// The kernel: (LoopMove), any grid of any size.
const void* move_kernel(bool into_tensor);

}  // namespace gxr::cuda
