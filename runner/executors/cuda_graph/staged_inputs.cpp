#include "executors/cuda_graph/staged_inputs.hpp"

#include "plan/staging.hpp"

namespace gxr {

void StagedInputs::open(LiveRegion& region) {
  staging_.clear();
  for (const GraphInput& input : region.graph().inputs) {
    std::optional<InputStaging>& staging = staging_.emplace_back();
    const std::uint64_t bytes = staging_buffer_bytes(region.graph(), input);
    if (bytes == 0) {
      continue;
    }
    std::vector<void*> places;
    while (places.size() < region.options().slots) {
      places.push_back(region.buffers.memory().take(bytes));
    }
    staging.emplace(places, [](void* to, const void* from, std::size_t size, DeviceStream& stream) {
      DeviceRuntime::get().copy(to, from, size, stream);
    });
    if (!copies_) {
      copies_.emplace(StreamOptions{.device = region.options().device});
    }
  }
}

void StagedInputs::close() {
  staging_.clear();
  copies_.reset();
}

bool StagedInputs::pass(std::size_t input, const Message& message, const Tensor& from, void* to) {
  if (!staging_[input] || from.storage_type() == MemoryStorageType::Device) {
    return false;
  }
  staging_[input]->pass(message, from, to, copies_->get(), *current_device_stream());
  return true;
}

void StagedInputs::finish() {
  if (copies_) {
    copies_->finish();
  }
}

}  // namespace gxr
