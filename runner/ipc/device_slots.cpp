#include "ipc/device_slots.hpp"

#include <algorithm>
#include <string>

#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Of each tensor in a slot, and of slots: as CUDA aligns what it gives.
constexpr std::uint64_t kAlignment = 256;
/// CUDA shares whole blocks of this size with the other process.
constexpr std::uint64_t kSharedBlock = std::uint64_t{2} << 20;

constexpr std::uint64_t rounded(std::uint64_t bytes, std::uint64_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

/// Calls `use` with each tensor in device memory.
template <class F>
void each_device_tensor(const Message& message, F&& use) {
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value) {
      const auto& tensor = *static_cast<const Tensor*>(part.data);
      if (tensor.storage_type() == MemoryStorageType::Device) {
        use(tensor);
      }
    }
  }
}

}  // namespace

DeviceSlots::~DeviceSlots() {
  if (memory_ != nullptr) {
    DeviceRuntime::get().free(memory_, MemoryStorageType::Device);
  }
}

std::optional<std::uint64_t> DeviceSlots::needed_by(const Message& message) {
  std::optional<std::uint64_t> needed;
  each_device_tensor(message, [&](const Tensor& tensor) {
    needed = needed.value_or(0) + rounded(tensor.span_bytes(), kAlignment);
  });
  return needed;
}

void DeviceSlots::begin(std::uint32_t slot, const Message& message, std::uint64_t needed) {
  if (!shared_) {
    make(message, needed);
  }
  if (needed > slot_bytes_) {
    throw Error(ErrorCode::InvalidParameter,
                "the device tensors of a message need " + std::to_string(needed) +
                    " bytes, but each slot has " + std::to_string(slot_bytes_) +
                    ": set 'slot_bytes' to what the largest message needs");
  }
  slot_ = slot;
  used_ = 0;
  DeviceStream& stream = stream_->get();
  stream.wait_for(cuda::work_behind(message));
  each_device_tensor(
      message, [&](const Tensor& tensor) { static_cast<void>(tensor.add_device_user(stream)); });
}

void DeviceSlots::make(const Message& message, std::uint64_t needed) {
  DeviceEngine& runtime = DeviceEngine::get();
  int device = 0;
  each_device_tensor(message, [&](const Tensor& tensor) {
    if (tensor.pointer() != nullptr) {
      device = std::max(runtime.device_of(tensor.pointer()), 0);
    }
  });
  slot_bytes_ =
      rounded(std::max<std::uint64_t>(slot_bytes_ == 0 ? needed : slot_bytes_, 1), kAlignment);
  const std::uint64_t bytes = rounded(slots_ * slot_bytes_, kSharedBlock);
  stream_.emplace(StreamOptions{.device = device});
  memory_ = static_cast<std::byte*>(runtime.allocate(bytes, MemoryStorageType::Device, device, {}));
  if (memory_ == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "GPU " + std::to_string(device) + " has no " +
                                            std::to_string(bytes) + " bytes for " +
                                            std::to_string(slots_) + " slots of " +
                                            std::to_string(slot_bytes_) + " bytes each");
  }
  shared_ = IpcMemory{runtime.memory().share_memory(memory_), slot_bytes_};
}

std::uint64_t DeviceSlots::put(const Tensor& tensor) {
  const std::uint64_t offset = used_;
  used_ += rounded(tensor.span_bytes(), kAlignment);
  if (tensor.span_bytes() > 0) {
    DeviceRuntime::get().copy(memory_ + slot_ * slot_bytes_ + offset, tensor.pointer(),
                              tensor.span_bytes(), stream_->get());
  }
  return offset;
}

}  // namespace gxr
