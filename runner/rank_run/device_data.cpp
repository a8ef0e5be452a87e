#include "rank_run/device_data.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

/// Memory of one GPU. There is one for each GPU, for ever, since tensors outlive those who make
/// them.
class DeviceHeap final : public Allocator {
 public:
  explicit DeviceHeap(int device) : device_(device) {}

  void* allocate(std::size_t size, MemoryStorageType storage) override {
    void* const memory = DeviceRuntime::get().allocate(size, storage, device_, {});
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "GPU " + std::to_string(device_) + " has no " +
                                              std::to_string(size) +
                                              " bytes for a message of another rank");
    }
    return memory;
  }
  void free(void* pointer) override {
    DeviceRuntime::get().free(pointer, MemoryStorageType::Device);
  }
  [[nodiscard]] bool is_available(std::size_t) const override { return true; }

 private:
  int device_;
};

DeviceHeap& device_heap(int device) {
  static auto& heaps = *new std::vector<DeviceHeap*>;
  static auto& mutex = *new std::mutex;
  const std::lock_guard lock(mutex);
  while (heaps.size() <= static_cast<std::size_t>(device)) {
    heaps.push_back(new DeviceHeap(static_cast<int>(heaps.size())));
  }
  return *heaps[static_cast<std::size_t>(device)];
}

Tensor on_device(const Tensor& tensor, DeviceHeap& heap, DeviceStream& stream) {
  const std::size_t bytes = tensor.span_bytes();
  Tensor moved;
  moved.adopt(heap, heap.allocate(bytes, MemoryStorageType::Device), tensor.shape(),
              tensor.element_type(), MemoryStorageType::Device, tensor.bytes_per_element(),
              &tensor.strides());
  if (bytes > 0) {
    DeviceRuntime::get().copy(moved.pointer(), tensor.pointer(), bytes, stream);
  }
  return moved;
}

}  // namespace

void put_back_on_device(Message& message, int device) {
  std::optional<LeasedStream> stream;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const detail::Part& part = message.begin()[i];
    if (part.id != TypeIdOf<Tensor>::value) {
      continue;
    }
    const auto& tensor = *static_cast<const Tensor*>(part.data);
    if (tensor.recorded_storage_type() == MemoryStorageType::Device &&
        tensor.storage_type() != MemoryStorageType::Device && DeviceRuntime::find() != nullptr) {
      if (!stream) {
        stream.emplace(StreamOptions{.device = device});
      }
      Tensor moved = on_device(tensor, device_heap(device), stream->get());
      stream->finish();  // before the memory that it is read from goes
      message.replace(i, std::move(moved));
    }
  }
}

}  // namespace gxr
