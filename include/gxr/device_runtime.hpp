#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/device_work.hpp"
#include "gxr/export.hpp"

namespace gxr {

/// SMs of a GPU set apart for some streams (a CUDA green context), made by a DeviceRuntime.
class GXR_API DevicePartition {
 public:
  virtual ~DevicePartition();
  /// Number of its GPU.
  [[nodiscard]] virtual int device() const noexcept = 0;
  /// Number of SMs, which may be more than were asked for: hardware groups them.
  [[nodiscard]] virtual unsigned sm_count() const noexcept = 0;
};

/// Properties of a stream.
struct StreamOptions {
  int device = 0;                        ///< number of the GPU
  bool blocking = false;                 ///< waits for the legacy default stream and it for this
  int priority = 0;                      ///< smaller is more urgent; clipped to the device's range
  DevicePartition* partition = nullptr;  ///< must outlive the stream

  /// Are they the same in everything?
  friend bool operator==(const StreamOptions& a, const StreamOptions& b) noexcept {
    return a.device == b.device && a.blocking == b.blocking && a.priority == b.priority &&
           a.partition == b.partition;
  }
};

/// Device memory that is given out and taken back in the order of streams' work
/// (cudaMemPool_t). Thread-safe.
class GXR_API DeviceMemoryPool {
 public:
  virtual ~DeviceMemoryPool();
  /// Usable by work that `stream` is given from now on; by everybody when `stream` is null, for
  /// which the call waits. nullptr when there is none.
  virtual void* allocate(std::size_t size, DeviceStream* stream) = 0;
  /// Back when the work of all users, and of the tick that gives it back, is done; nobody waits.
  virtual void free(void* pointer, const DeviceUsers& users) = 0;
  /// Bytes taken from the device, given out or not.
  [[nodiscard]] virtual std::size_t reserved() const = 0;
};

/// Properties of a pool of device memory.
struct DeviceMemoryPoolOptions {
  int device = 0;                     ///< number of the GPU
  std::size_t release_threshold = 0;  ///< bytes that are kept although unused
  std::size_t initial_size = 0;       ///< bytes taken at once
};

/// How page-locked memory is made (cudaHostAlloc).
struct HostMemoryOptions {
  bool mapped = false;           ///< also in the GPU's address space
  bool write_combining = false;  ///< fast for the GPU to read, slow for the CPU to read
};

/// Memory of a GPU, in bytes.
struct DeviceMemoryInfo {
  std::size_t free = 0;   ///< for anybody
  std::size_t total = 0;  ///< of the GPU
};

/// GPUs for extensions, without CUDA's headers. Implemented by libgxr_cuda.so, which is loaded when
/// something asks for it first. Thread-safe.
///
/// While a loop of gxr runs on a device, memory that free() is given there goes back to CUDA later,
/// and nobody may call what waits for all of a device's work: cudaFree, cudaFreeHost,
/// cudaHostUnregister, cudaDeviceSynchronize.
///
/// All functions throw Error(Device) with CUDA's name and text of the error and the call.
class GXR_API DeviceRuntime {
 public:
  /// Throws Error(NotSupported), which says why there is none: built without CUDA, no driver, no
  /// GPU.
  static DeviceRuntime& get();
  /// nullptr when there is none.
  static DeviceRuntime* find() noexcept;
  /// What get() says then: "no GPU can be used: …"; empty when there is one.
  static std::string why_none();

  /// Number of GPUs, at least 1.
  [[nodiscard]] virtual int device_count() const noexcept = 0;
  /// "NVIDIA H200"
  [[nodiscard]] virtual std::string device_name(int device) const = 0;
  /// How much memory a GPU has, and has left.
  [[nodiscard]] virtual DeviceMemoryInfo memory_info(int device) const = 0;
  /// Makes `device` the calling thread's current one. Throws Error(OutOfRange) when there is none
  /// of that number.
  virtual void use_device(int device) = 0;

  /// A stream for the caller alone until release_stream(), which does not wait for its work.
  virtual DeviceStream& acquire_stream(const StreamOptions& options) = 0;
  /// Takes back what acquire_stream() gave.
  virtual void release_stream(DeviceStream& stream) noexcept = 0;
  /// Work that the legacy default stream of the stream's GPU is given from now on begins after this
  /// work.
  virtual void order_default_stream_after(const DeviceWork& work) = 0;
  /// Work that `stream` is given from now on begins after all that the legacy default stream of its
  /// GPU has been given.
  virtual void order_after_default_stream(DeviceStream& stream) = 0;
  /// The stream with this handle, nullptr when it is none of the process's DeviceStreams.
  [[nodiscard]] virtual DeviceStream* find_stream(CUstream_st* handle) const noexcept = 0;

  /// Splits the SMs of a device: one partition for each number, and one for the rest if any are
  /// left. kEqualShare in the place of all numbers: parts of the same size, as large as possible.
  /// `min_sm_size`: least SMs of a partition, at least 1. `work_queues`: streams with work at the
  /// same time for which each partition gets work queues of its own, as far as there are any; 0:
  /// all share the same. Throws Error: OutOfRange for SMs that there are not, NotSupported for work
  /// queues that CUDA or the driver does not have.
  virtual std::vector<std::unique_ptr<DevicePartition>> split_device(
      int device, const std::vector<unsigned>& sms, unsigned min_sm_size, unsigned work_queues) = 0;
  /// See split_device().
  static constexpr unsigned kEqualShare = 0;

  /// Device memory, or page-locked host memory that all devices reach; nullptr when there is none.
  virtual void* allocate(std::size_t size, MemoryStorageType storage, int device,
                         const HostMemoryOptions& host) = 0;
  /// May wait for the device.
  virtual void free(void* pointer, MemoryStorageType storage) noexcept = 0;
  /// A pool of its own of the driver. Throws Error(Device).
  virtual std::unique_ptr<DeviceMemoryPool> make_memory_pool(
      const DeviceMemoryPoolOptions& options) = 0;
  /// Page-locked memory that is free again when the work of its users, and of the tick that gives
  /// it back, is done, and then kept for the next. nullptr when there is none.
  virtual void* allocate_pinned(std::size_t size) = 0;
  /// Takes back what allocate_pinned() gave; `users` may still use it.
  virtual void free_pinned(void* pointer, const DeviceUsers& users) = 0;
  /// Number of the device that a pointer belongs to; -1 for memory of the host.
  [[nodiscard]] virtual int device_of(const void* pointer) const = 0;

  /// Copies between any two kinds of memory, also of two devices, in the order of the stream's
  /// work.
  virtual void copy(void* to, const void* from, std::size_t bytes, DeviceStream& stream) = 0;
  /// Copies `rows` rows of `bytes` each, whose starts lie `*_pitch` bytes apart.
  virtual void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t bytes, std::size_t rows, DeviceStream& stream) = 0;
  /// Fills device memory with zeros, in the order of the stream's work.
  virtual void clear(void* memory, std::size_t bytes, DeviceStream& stream) = 0;

  /// Calls Context::notify(component) once, soon after `work` is done, or `timeout` is over (0:
  /// never), or an error keeps it from being done, which is_done() then throws. `component` must
  /// call stop_watching before it goes.
  virtual void watch(const DeviceWork& work, const Component& component,
                     std::chrono::milliseconds timeout) = 0;
  /// Ends all watch() for `component`: it is not notified any more.
  virtual void stop_watching(const Component& component) noexcept = 0;

  /// Throws Error(Device) for a CUDA call that returned `error`, a cudaError_t other than success.
  [[noreturn]] virtual void fail(const char* call, int error) = 0;
  /// Throws the last error of the calling thread that nobody looked at: a launch that failed, for
  /// one.
  virtual void check() = 0;

 protected:
  virtual ~DeviceRuntime();
};

/// A stream of the runtime for as long as this lives. Its work is not waited for in the end.
class LeasedStream {
 public:
  /// Acquires a stream. Throws what DeviceRuntime::get() throws, and Error(Device).
  explicit LeasedStream(const StreamOptions& options = {})
      : stream_(DeviceRuntime::get().acquire_stream(options)) {}
  LeasedStream(const LeasedStream&) = delete;
  LeasedStream& operator=(const LeasedStream&) = delete;
  ~LeasedStream() { DeviceRuntime::get().release_stream(stream_); }

  /// The stream.
  [[nodiscard]] DeviceStream& get() const noexcept { return stream_; }
  /// Returns when all that it has been given is done.
  void finish() const { stream_.wait_on_host(stream_.mark().number); }

 private:
  DeviceStream& stream_;
};

/// From its constructor to its destructor, `allocator` is named when a GPU has no memory left.
class GXR_API DeviceMemoryHolder {
 public:
  /// `allocator` must outlive this object.
  explicit DeviceMemoryHolder(const Allocator& allocator);
  DeviceMemoryHolder(const DeviceMemoryHolder&) = delete;
  DeviceMemoryHolder& operator=(const DeviceMemoryHolder&) = delete;
  ~DeviceMemoryHolder();

 private:
  const Allocator* allocator_;
};
/// Error(OutOfMemory): how much is free on the GPU, and what the allocators of the process hold.
[[noreturn]] GXR_API void throw_out_of_device_memory(const Allocator& allocator, std::size_t bytes,
                                                     int device);

/// Loads the half with device code of an extension: for the library that holds `address`, at
/// PATH/X.so, PATH/X_cuda.so; and returns its function `name`. Throws Error(NotSupported), which
/// says why, without that library, a driver or a GPU.
GXR_API void* load_device_half(const void* address, const char* name);

}  // namespace gxr
