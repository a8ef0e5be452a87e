#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device_engine.hpp"
#include "devices.hpp"
#include "memory.hpp"
#include "memory_access.hpp"
#include "runtime_tools.hpp"
#include "stream_table.hpp"
#include "watcher.hpp"
#include "work_in_flight.hpp"

namespace gxr::cuda {

/// DeviceEngine by the CUDA runtime.
class Runtime final : public DeviceEngine {
 public:
  /// Throws Error(NotSupported) without a driver or a GPU.
  Runtime() = default;

  // DeviceRuntime
  [[nodiscard]] int device_count() const noexcept override { return devices_.count(); }
  [[nodiscard]] std::string device_name(int device) const override;
  [[nodiscard]] DeviceMemoryInfo memory_info(int device) const override;
  void use_device(int device) override { devices_.use(device); }
  DeviceStream& acquire_stream(const StreamOptions& options) override;
  void release_stream(DeviceStream& stream) noexcept override { streams_.release(stream); }
  void order_default_stream_after(const DeviceWork& work) override;
  void order_after_default_stream(DeviceStream& stream) override;
  [[nodiscard]] DeviceStream* find_stream(CUstream_st* handle) const noexcept override {
    return streams_.find(handle);
  }
  std::vector<std::unique_ptr<DevicePartition>> split_device(int device,
                                                             const std::vector<unsigned>& sms,
                                                             unsigned min_sm_size,
                                                             unsigned work_queues) override;
  void* allocate(std::size_t size, MemoryStorageType storage, int device,
                 const HostMemoryOptions& host) override;
  void free(void* pointer, MemoryStorageType storage) noexcept override;
  std::unique_ptr<DeviceMemoryPool> make_memory_pool(
      const DeviceMemoryPoolOptions& options) override;
  void* allocate_pinned(std::size_t size) override { return pinned_.allocate(size); }
  void free_pinned(void* pointer, const DeviceUsers& users) override {
    pinned_.free(pointer, users);
  }
  [[nodiscard]] int device_of(const void* pointer) const override {
    return cuda::device_of(pointer);
  }
  void copy(void* to, const void* from, std::size_t bytes, DeviceStream& stream) override;
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t bytes, std::size_t rows, DeviceStream& stream) override;
  void clear(void* memory, std::size_t bytes, DeviceStream& stream) override;
  void watch(const DeviceWork& work, const Component& component,
             std::chrono::milliseconds timeout) override {
    watcher_.watch(work, component, timeout);
  }
  void stop_watching(const Component& component) noexcept override { watcher_.forget(component); }
  [[noreturn]] void fail(const char* call, int error) override;
  void check() override;

  // DeviceEngine
  [[nodiscard]] DeviceObjects objects() const override;
  [[nodiscard]] DeviceFacts describe(int device) const override;
  std::unique_ptr<DeviceGraph> make_graph(const DeviceGraphOptions& options) override;
  std::unique_ptr<DeviceLoop> make_loop(const DeviceLoopOptions& options) override;
  [[nodiscard]] MemoryAccess& memory() noexcept override { return memory_; }
  [[nodiscard]] WorkInFlight& in_flight() noexcept override { return in_flight_; }
  [[nodiscard]] RuntimeTools& tools() noexcept override { return tools_; }

  [[nodiscard]] StreamTable& streams() noexcept { return streams_; }

 private:
  Devices devices_;
  StreamTable streams_;
  PinnedMemory pinned_;
  Watcher watcher_;
  WorkInFlight in_flight_{devices_, streams_};
  MemoryAccess memory_{devices_, in_flight_};
  RuntimeTools tools_{devices_.count()};
};

/// The one of the process.
Runtime& runtime();

}  // namespace gxr::cuda
