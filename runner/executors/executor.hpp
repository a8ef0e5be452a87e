#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "gxr/component.hpp"
#include "gxr/controller.hpp"
#include "gxr/queue.hpp"
#include "gxr/report.hpp"
#include "observe/run_status.hpp"

namespace gxr {

class DeviceTimes;
class Previews;
class RestWatch;
class TraceEvents;

struct ExecutorOptions {
  bool measure = false;          ///< take the time of every tick
  TraceEvents* trace = nullptr;  ///< gets ticks, start() and stop(); must outlive the run
  bool nvtx = false;           ///< mark ticks for NVIDIA's profilers; there must be a DeviceRuntime
  bool resident = false;       ///< loops on GPUs run beside it
  bool check_streams = false;  ///< the legacy default stream is forbidden; as above
  bool compat_gxf =
      false;  ///< a full receiver loses the message with a warning instead of failing the run
  /// So long GPU work may make no progress when the run is to end early; 0: no limit; not given:
  /// 10 s, or the longest `watchdog_ms` of the CUDA graphs if that is more.
  std::optional<std::chrono::nanoseconds> end_patience;
  RestWatch* rest = nullptr;            ///< of one rank of several; must outlive the run
  DeviceTimes* device_times = nullptr;  ///< measures ticks' work on GPUs; must outlive the run
};

/// Runs the entities of one region from start() until nothing is left to do.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor();

  /// Runs on the calling thread until the end. Call once.
  virtual void run(Report& report) = 0;
  /// Ends the run in order; `by_signal` says who asks. Callable from any thread, also before run().
  virtual void interrupt(bool by_signal) noexcept = 0;
  /// The answer of a scheduling term of this entity may have changed. Callable from any thread.
  virtual void notify(std::uint32_t entity) = 0;
  /// How the last tick of an entity ended; Unknown without a Controller. Callable from any thread.
  [[nodiscard]] virtual Behavior behavior(std::uint32_t entity) const noexcept = 0;
  /// What the entities do now. The thread of run() is asked; when it does not answer within
  /// `patience`, the answer says no more than other threads can see. The run goes on meanwhile: see
  /// StatusQuestion. Callable from any thread but that one.
  [[nodiscard]] virtual RunStatus status(std::chrono::milliseconds patience) = 0;
  /// All ticks so far, without asking anybody. Callable from any thread from run() on.
  [[nodiscard]] virtual std::uint64_t ticks() noexcept = 0;
  /// Of its entities; any thread.
  [[nodiscard]] virtual Previews& previews() noexcept = 0;
  /// As ReceiverCounts has it. Callable from the threads that tick entities, and from those that
  /// answer for one.
  [[nodiscard]] virtual std::size_t messages_in(const Receiver& receiver) const;
  /// Time of the region's clock, ns.
  [[nodiscard]] virtual std::int64_t clock_time() const = 0;
};

}  // namespace gxr
