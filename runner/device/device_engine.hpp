#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device_facts.hpp"
#include "device/device_graph.hpp"
#include "device/device_loop.hpp"
#include "device/device_spans.hpp"
#include "device/unfinished_work.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/device_work.hpp"
#include "gxr/report.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Room for DeviceMemoryAccess::nearest() to choose from: seven to nine places.
inline constexpr std::size_t kRoomForNearest = 8 * 4096;

/// Objects that a DeviceEngine has made and keeps for the next use.
struct DeviceObjects {
  std::size_t streams = 0;
  std::size_t events = 0;
  std::size_t pinned_bytes = 0;  ///< page-locked memory, given out or not
};

/// Names device memory to other processes of the machine; plain bytes, to be sent as they are.
struct SharedDeviceMemory {
  std::array<std::byte, 64> handle{};  ///< a cudaIpcMemHandle_t
  std::array<std::byte, 16> gpu{};     ///< the UUID of its GPU, which may have other numbers there
};

/// Questions of the engine about the memory of GPUs, beyond those of DeviceRuntime. Thread-safe.
class DeviceMemoryAccess {
 public:
  /// The part of small memory that kernels of few blocks reach soonest. On GPUs whose L2 cache has
  /// several parts, a page of 4096 bytes belongs to one of them, which is nearer to some SMs than
  /// to others, and such kernels often run on the same few SMs. `memory` has kRoomForNearest bytes
  /// more than the `bytes` that are to lie in it, from one of its pages on: how far behind its
  /// begin the best of those begins; the first of those that are the same. Fills all with zeros;
  /// measures how long atomic operations take there, and waits for that, less than 1 ms. partition:
  /// the SMs that count; nullptr: all.
  [[nodiscard]] virtual std::size_t nearest(void* memory, std::size_t bytes, int device,
                                            const DevicePartition* partition) = 0;
  /// Bytes from `pointer`, into memory of a device, to the end of its allocation.
  [[nodiscard]] virtual std::size_t bytes_behind(const void* pointer) const = 0;
  /// Lets other processes open memory that allocate() gave on a device. It must not be freed while
  /// they have it open. Memory of pools cannot be shared. CUDA may share neighbouring memory of the
  /// process along with memory whose size is no multiple of 2 MiB.
  [[nodiscard]] virtual SharedDeviceMemory share_memory(void* pointer) = 0;
  /// The memory that another process shares, until close_shared_memory(). Throws Error(NotFound)
  /// when this process does not see that GPU.
  [[nodiscard]] virtual void* open_shared_memory(const SharedDeviceMemory& memory) = 0;
  /// May wait for the device; while a loop runs, the memory is closed later. `closed` is called
  /// then, on any thread.
  virtual void close_shared_memory(void* pointer, std::function<void()> closed) noexcept = 0;
  /// The memory that a device keeps for CUDA graphs that allocate memory themselves, as those of
  /// operators and of libraries may.
  [[nodiscard]] virtual GraphMemory graph_memory(int device) const = 0;
  /// Gives the part of it that no graph uses back to the device; while a loop runs, which that may
  /// wait for, at its end.
  virtual void trim_graph_memory(int device) = 0;

 protected:
  ~DeviceMemoryAccess() = default;
};

/// The work of the process that is in flight on GPUs, and may never end. Thread-safe.
class DeviceWorkInFlight {
 public:
  /// Work of the process on GPUs that are in use. Asks CUDA, which may not answer while a thread of
  /// the process waits in a call.
  [[nodiscard]] virtual std::vector<UnfinishedWork> unfinished(UnfinishedWork::Scope scope) = 0;
  /// The entities whose work that may be: "'isp/demosaic' or 'b/y'"; empty: none.
  [[nodiscard]] virtual std::string users() const = 0;
  /// Until as many calls of let_frees_go(), memory that free() is given goes back to CUDA later:
  /// CUDA waits for all work of the device with that. hold_frees() waits for nothing.
  virtual void hold_frees() noexcept = 0;
  virtual void let_frees_go() noexcept = 0;
  /// This work does not end, most likely. Until it has, DeviceStream::wait_on_host() for its device
  /// throws Error(Device) with this text after a tenth of a second, and memory is not freed, which
  /// would wait, too.
  virtual void give_up(const UnfinishedWork& work, const std::string& why) = 0;
  /// Has work of a device been given up that has not ended?
  [[nodiscard]] virtual bool is_given_up(int device) noexcept = 0;
  /// No stream names this user any more as one whose work it may be doing.
  virtual void forget_user(const std::string* user) noexcept = 0;
  /// Do loops run, of any application? CUDA waits for their end in many calls, see make_loop().
  [[nodiscard]] virtual bool has_running_loops() const noexcept = 0;
  /// The same of one device.
  [[nodiscard]] virtual bool has_running_loops_on(int device) const noexcept = 0;

 protected:
  ~DeviceWorkInFlight() = default;
};

/// The profilers and checks of the process. Thread-safe.
class DeviceTools {
 public:
  /// Marks, for NVIDIA's profilers, what the calling thread does until pop_range(), under a name
  /// (NVTX); ranges nest.
  virtual void push_range(const char* name) noexcept = 0;
  virtual void pop_range() noexcept = 0;
  /// While it is forbidden, work for the legacy default stream (stream 0), which all streams that
  /// are not made non-blocking wait for, fails; see NoLegacyStream. Calls count: as often as it is
  /// forbidden, it must be allowed.
  virtual void forbid_legacy_stream() = 0;
  virtual void allow_legacy_stream() noexcept = 0;
  /// Are operators checked, while they are captured, for work on streams that are not? While the
  /// legacy stream is forbidden, if CUPTI is there and no other tool has it.
  [[nodiscard]] virtual bool checks_captures() = 0;
  /// Are kernels loaded when they are first launched, for which CUDA may wait for a loop's end?
  [[nodiscard]] virtual bool loads_kernels_late() const = 0;
  /// A measurer of work on streams.
  [[nodiscard]] virtual std::unique_ptr<DeviceSpans> make_spans() = 0;

 protected:
  ~DeviceTools() = default;
};

/// The GPUs as the engine sees them, beyond the DeviceRuntime of extensions: graphs, loops, memory
/// that processes share, work in flight, profilers and checks. libgxr_cuda.so implements all of it.
/// Thread-safe.
///
/// All functions throw Error(Device) with CUDA's name and text of the error and the call.
class GXR_INTERNAL_API DeviceEngine : public DeviceRuntime {
 public:
  /// As DeviceRuntime::get().
  static DeviceEngine& get();
  /// As DeviceRuntime::find().
  static DeviceEngine* find() noexcept;
  /// The same, but nullptr while nothing has asked for it.
  static DeviceEngine* loaded() noexcept;

  [[nodiscard]] virtual DeviceObjects objects() const = 0;
  /// The facts about a GPU. Tries out whether gxr can use it. Throws Error(OutOfRange).
  [[nodiscard]] virtual DeviceFacts describe(int device) const = 0;
  virtual std::unique_ptr<DeviceGraph> make_graph(const DeviceGraphOptions& options) = 0;
  virtual std::unique_ptr<DeviceLoop> make_loop(const DeviceLoopOptions& options) = 0;
  [[nodiscard]] virtual DeviceMemoryAccess& memory() noexcept = 0;
  [[nodiscard]] virtual DeviceWorkInFlight& in_flight() noexcept = 0;
  [[nodiscard]] virtual DeviceTools& tools() noexcept = 0;

 protected:
  ~DeviceEngine() override;
};

/// While it lives, codelets that put work on the legacy default stream of CUDA fail. For finding
/// them: it costs nothing, but is no mode to work in, since libraries may use that stream.
class NoLegacyStream {
 public:
  NoLegacyStream() { DeviceEngine::get().tools().forbid_legacy_stream(); }
  NoLegacyStream(const NoLegacyStream&) = delete;
  NoLegacyStream& operator=(const NoLegacyStream&) = delete;
  ~NoLegacyStream() { DeviceEngine::get().tools().allow_legacy_stream(); }
};

/// The function that a library with a DeviceEngine exports: returns it, or throws
/// Error(NotSupported).
/// Never destroyed.
using MakeDeviceEngine = DeviceEngine& (*)();
inline constexpr const char* kMakeDeviceEngine = "gxr_device_runtime";

}  // namespace gxr
