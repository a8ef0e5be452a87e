#pragma once

#include <cstddef>
#include <functional>

#include "device/device_engine.hpp"
#include "devices.hpp"
#include "near_memory.hpp"
#include "work_in_flight.hpp"

namespace gxr::cuda {

/// DeviceMemoryAccess by the CUDA runtime.
class MemoryAccess final : public DeviceMemoryAccess {
 public:
  /// Both must outlive it.
  MemoryAccess(const Devices& devices, WorkInFlight& in_flight)
      : devices_(devices), in_flight_(in_flight) {}

  [[nodiscard]] std::size_t nearest(void* memory, std::size_t bytes, int device,
                                    const DevicePartition* partition) override {
    return nearest_place(memory, bytes, device, partition);
  }
  [[nodiscard]] std::size_t bytes_behind(const void* pointer) const override;
  [[nodiscard]] SharedDeviceMemory share_memory(void* pointer) override;
  [[nodiscard]] void* open_shared_memory(const SharedDeviceMemory& memory) override;
  void close_shared_memory(void* pointer, std::function<void()> closed) noexcept override;
  [[nodiscard]] GraphMemory graph_memory(int device) const override;
  void trim_graph_memory(int device) override;

 private:
  const Devices& devices_;
  WorkInFlight& in_flight_;
};

/// The device whose memory that is; -1: it is memory of the host.
[[nodiscard]] int device_of(const void* pointer);

}  // namespace gxr::cuda
