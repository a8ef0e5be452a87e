#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/device_engine.hpp"
#include "gxr/message.hpp"
#include "gxr/tensor.hpp"
#include "ipc/ipc_protocol.hpp"

namespace gxr {

/// The device memory of a transmitter, which another process opens: slots of the same size on one
/// GPU. One thread.
class DeviceSlots {
 public:
  /// `slot_bytes` 0: as many as the first message needs.
  DeviceSlots(std::uint32_t slots, std::uint64_t slot_bytes) noexcept
      : slots_(slots), slot_bytes_(slot_bytes) {}
  DeviceSlots(const DeviceSlots&) = delete;
  DeviceSlots& operator=(const DeviceSlots&) = delete;
  /// Gives the memory back, unless leave() was called. Nobody may have it open.
  ~DeviceSlots();

  /// Bytes that the device tensors of a message take in a slot; none: it has no such tensors.
  static std::optional<std::uint64_t> needed_by(const Message& message);
  /// The next put() is of `message`, into this slot. Makes the memory at the first one. Throws
  /// Error: NotSupported without a GPU, InvalidParameter when a slot is smaller than `needed`,
  /// OutOfMemory, Device.
  void begin(std::uint32_t slot, const Message& message, std::uint64_t needed);
  /// Copies the elements behind those before, and the gaps between them, in the order of device
  /// work: nobody waits. Returns how far behind the slot's begin they are.
  std::uint64_t put(const Tensor& tensor);
  /// What is to be done before the slot can be read.
  [[nodiscard]] DeviceWork work() { return stream_->get().mark(); }

  /// What the other process needs to know; none before there is memory.
  [[nodiscard]] const std::optional<IpcMemory>& memory() const noexcept { return shared_; }
  /// Somebody may still have the memory open: it stays until the process ends.
  void leave() noexcept { memory_ = nullptr; }

 private:
  void make(const Message& message, std::uint64_t needed);

  std::uint32_t slots_;
  std::uint64_t slot_bytes_;
  std::byte* memory_ = nullptr;
  std::optional<IpcMemory> shared_;
  std::optional<LeasedStream> stream_;
  std::uint32_t slot_ = 0;
  std::uint64_t used_ = 0;  // of that slot
};

}  // namespace gxr
