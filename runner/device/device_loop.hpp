#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device_measures.hpp"
#include "device/device_nodes.hpp"
#include "device/graph_options.hpp"
#include "gxr/device_work.hpp"
#include "gxr/graph_operator.hpp"
#include "internal_api.hpp"

namespace gxr {

class DevicePartition;

/// A tensor through which a DeviceLoop takes what the host puts, or gives what the host takes.
struct DeviceLoopPort {
  void* tensor = nullptr;  ///< device memory that the nodes read or write; nullptr: only counted
  std::size_t bytes = 0;
};

struct DeviceLoopOptions {
  int device = 0;
  int priority = 0;  ///< of its stream and kernels, as of streams
  /// The SMs that it runs on, of the same device; must outlive the loop. nullptr: all.
  DevicePartition* partition = nullptr;
  MemorySyncDomain memory_sync_domain = MemorySyncDomain::Default;  ///< of all its kernels
  /// Not Auto. TailLaunch: without doorbells and measured iterations; branches are launched, or,
  /// with `may_launch_itself`, each is decided once in an iteration.
  GraphLoop loop = GraphLoop::ControlAtEnd;
  /// It may be TailLaunch instead, where branches are decided faster so.
  bool may_launch_itself = false;
  std::uint32_t unroll = 1;  ///< iterations in one round, when so many can begin
  /// There are fewer in a round, or one, when it would have more CUDA nodes of operators; 0: any
  /// number.
  std::size_t nodes_of_round = 0;
  /// A round begins only when the iterations before it took no longer each, from one begin to the
  /// next; 0: whatever they took. For loops that never wait.
  std::chrono::nanoseconds iteration_of_round{0};
  std::uint32_t slots = 2;  ///< inputs that wait, and results that were not taken, of each port
  /// All: an iteration begins when every input and doorbell has something new. Any: when one has;
  /// the tensors of other inputs keep what they have, zeros at first. At most 31 ports and
  /// doorbells then.
  GraphReady ready = GraphReady::All;
  std::chrono::nanoseconds sleep_interval{500'000};  ///< longest pause between two polls for input
  GraphPause pause = GraphPause::Growing;
  bool sync_with_host = false;  ///< what an iteration wrote is visible to the host when it is done
  std::vector<DeviceLoopPort> inputs;
  std::vector<DeviceLoopPort> outputs;
  /// Iterations that take longer are counted; 0: none is. From the moment at which one may begin.
  std::chrono::nanoseconds iteration_timeout{0};
  /// Every Nth iteration, and the first of each launch, is measured, node by node, in a body
  /// of its own; 0: none. Only with GraphLoop::ControlAtEnd. With doorbells 0 or 1: what polls
  /// is not measured.
  std::uint32_t instrument_every = 0;
  /// How many nodes that poll tell the loop whether there is input; not 0: the loop has a shape of
  /// its own, and at most 31 ports and doorbells.
  std::size_t doorbells = 0;
  /// Device memory that nodes read and set_parameters() writes, aligned to 16 bytes and with room
  /// for a multiple of that.
  std::vector<DeviceRange> parameters = {};
};

/// What is known of a loop that has ended.
struct DeviceLoopReport {
  std::uint64_t iterations = 0;
  std::int64_t duration_ns = 0;  ///< from the first one's begin to the end, by the GPU's clock
  std::uint64_t late = 0;        ///< iterations that took longer than DeviceLoopOptions say
  /// Turns of BranchLaunch::Sibling that were left out, since the first launch from the begin.
  std::uint64_t left_out = 0;
};

/// Controls a DeviceLoop that runs, and tells how far it is.
class DeviceLoopControl {
 public:
  /// Ends the loop when `limit` iterations are done, or at once if more are: the iteration that
  /// runs, the round of an unrolled loop, or the iteration behind is the last one then.
  virtual void set_limit(std::uint64_t limit) = 0;
  /// Ends it when those inputs are worked on that it finds when it hears of this, or at the limit.
  /// For loops with doorbells, and those that begin when any input is there. Inputs must have been
  /// copied (the streams given to put() are done). set_limit() may still end it earlier.
  virtual void drain() = 0;
  virtual void set_sleep_interval(std::chrono::nanoseconds interval) = 0;
  /// Gives DeviceLoopOptions::parameters new bytes, of all one behind the other, while it runs. All
  /// are exchanged between two iterations. An iteration for which an input is put afterwards has
  /// these or newer ones; of those that are set in short order, some may be seen by none.
  virtual void set_parameters(const std::vector<std::byte>& bytes) = 0;
  /// Iterations that are done. Any thread.
  [[nodiscard]] virtual std::uint64_t finished() const noexcept = 0;
  /// Of a loop with doorbells: another number every few milliseconds while it polls and finds
  /// nothing. Any thread.
  [[nodiscard]] virtual std::uint64_t heartbeat() const noexcept = 0;
  /// How many of an input, or, behind the inputs, of a doorbell, had been taken when `iterations`
  /// were done, of which the last `slots` + 1 are known.
  [[nodiscard]] virtual std::uint64_t taken(std::size_t drive,
                                            std::uint64_t iterations) const noexcept = 0;

 protected:
  DeviceLoopControl() = default;
  ~DeviceLoopControl() = default;
};

/// The host's half of the inputs and outputs of a DeviceLoop.
class DeviceLoopPorts {
 public:
  /// Gives the next input of a port, of which all but fewer than `slots` must have been worked on:
  /// `bytes` of the port at `data`, memory of any kind, after the work that `stream` has; null for
  /// a port without a tensor. `readable`: the processor can read it now. True when it has been
  /// read; else it must stay until the work of `stream` is done.
  virtual bool put(std::size_t input, const void* data, bool readable, DeviceStream& stream) = 0;
  /// Copies the oldest result of an output, of which there must be one, to `to`, memory of any
  /// kind, after the work that `stream` has, and makes room for another. `writable`: the processor
  /// can write there now. Returns the work of `stream` that copies it; none: that has been done.
  virtual DeviceWork take(std::size_t output, void* to, bool writable, DeviceStream& stream) = 0;
  /// From now on results need no room: those that were not taken are overwritten.
  virtual void drop_results() = 0;

 protected:
  DeviceLoopPorts() = default;
  ~DeviceLoopPorts() = default;
};

/// A CUDA graph that loops on the GPU: launched once, it begins an iteration when every input has
/// something new and every output has room, and tells the host when it is done. Nothing is ever
/// lost: inputs and results are counted by 64-bit numbers that only grow. Made by
/// DeviceEngine::make_loop().
///
/// One thread at a time, but for the counts of its control. All functions throw Error(Device) with
/// CUDA's name and text of the error and the call.
class GXR_INTERNAL_API DeviceLoop : public DeviceNodes {
 public:
  /// The loop must not run.
  ~DeviceLoop() override;

  /// In device memory, from the beginning: the number of the iteration that runs, from 0.
  [[nodiscard]] virtual const std::uint64_t* iteration() const noexcept = 0;
  /// The same for nodes in a body of a branch, or kNoNode: if that is launched as a graph of its
  /// own, the number of the iteration whose turn it was.
  [[nodiscard]] virtual const std::uint64_t* iteration_in(NodeId branch) const noexcept = 0;
  /// Of one of the doorbells, from the beginning.
  [[nodiscard]] virtual Doorbell doorbell(std::size_t number) const noexcept = 0;
  /// In device memory: 1 while an iteration runs that took something new of an input, or, behind
  /// the inputs, of a doorbell; else 0. nullptr: every iteration does.
  [[nodiscard]] virtual const std::uint64_t* is_new(std::size_t drive) const noexcept = 0;
  /// Builds the graph. No node is added afterwards. Again behind replace(), while it does not run.
  virtual void instantiate() = 0;
  /// See DeviceGraph::write_dot(). Call after instantiate().
  virtual void write_dot(const std::string& file) const = 0;

  /// Starts it, with no input put and no result made. It ends by itself when `limit` iterations are
  /// done. It must not run. Work that other streams have for the nodes' memory must be done.
  void launch(std::uint64_t limit) { launch_from(0, limit); }
  /// The same for one that goes on: `done` iterations are, and all of their inputs and results have
  /// passed. For a loop that waits for all its inputs, without doorbells.
  virtual void launch_from(std::uint64_t done, std::uint64_t limit) = 0;
  [[nodiscard]] virtual DeviceLoopControl& control() noexcept = 0;
  [[nodiscard]] virtual DeviceLoopPorts& ports() noexcept = 0;
  /// Has it been launched and not ended? Throws when the device failed.
  virtual bool is_running() = 0;
  /// Has it ended itself, but not what it launched beside it (BranchLaunch::Sibling)?
  [[nodiscard]] virtual bool waits_for_siblings() const noexcept = 0;
  /// Device memory of its own: slots of large tensors, numbers and tables.
  [[nodiscard]] virtual std::uint64_t memory_bytes() const noexcept = 0;
  /// Of the last launch, after its end.
  virtual DeviceLoopReport report() = 0;
  /// The last iterations that were measured since the launch, some thousand, or `most`, in their
  /// order. While the loop runs, and when the device has failed, the last of them may be one that
  /// has not ended. Any thread, but not during a launch.
  [[nodiscard]] virtual std::vector<MeasuredIteration> measured(
      std::size_t most = kAllMeasured) const = 0;
};

}  // namespace gxr
