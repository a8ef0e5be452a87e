#include "tensor_copier.hpp"

#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace gxr {
namespace {

constexpr std::array kTargets{MemoryStorageType::Device, MemoryStorageType::Host,
                              MemoryStorageType::System};  // by mode

void free_block(void* owner, void* pointer) noexcept {
  try {
    static_cast<Allocator*>(owner)->free(pointer);
  } catch (const Error&) {
    // The pointer came from this allocator, so there is nothing that the owner could do better.
  }
}

}  // namespace

void TensorCopier::declare(Interface& interface) {
  interface.input(receiver_, "receiver", "Messages with tensors");
  interface.output(transmitter_, "transmitter", "The same messages, with their tensors moved");
  interface.parameter(allocator_, "allocator", "Gives memory for the tensors");
  interface
      .parameter(mode_, "mode", "Where the tensors shall live",
                 "Tensors that live there already stay untouched. 0 and 1 need the CUDA extension; "
                 "with --compat gxf the memory that the allocator gives instead will do.")
      .choices({{"0", "device: on the GPU"},
                {"1", "host: page-locked, reachable by the GPU"},
                {"2", "system: the heap"}});
}

void TensorCopier::initialize() {
  if (*mode_ < 0 || static_cast<std::size_t>(*mode_) >= kTargets.size()) {
    throw Error(ErrorCode::OutOfRange,
                "parameter 'mode' is " + std::to_string(*mode_) + "; there are 0, 1 and 2");
  }
  target_ = kTargets[static_cast<std::size_t>(*mode_)];
  if (target_ != MemoryStorageType::System && !context().compat_gxf()) {
    throw Error(ErrorCode::NotSupported,
                "parameter 'mode': " + std::to_string(*mode_) + " (to " + to_string(target_) +
                    " memory) needs the CUDA extension; write `mode: 2` for system memory");
  }
}

void TensorCopier::tick() {
  Message message = receiver_->receive();
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value) {
      auto& tensor = *static_cast<Tensor*>(part.data);
      if (tensor.recorded_storage_type() != target_ ||
          tensor.storage_type() == MemoryStorageType::Device) {
        copy(tensor);
      }
    }
  }
  transmitter_->publish(std::move(message));
}

void TensorCopier::copy(Tensor& tensor) {
  if (tensor.storage_type() == MemoryStorageType::Device ||
      allocator_->real_storage(target_) == MemoryStorageType::Device) {
    throw Error(ErrorCode::NotSupported,
                std::string(tensor.storage_type() == MemoryStorageType::Device
                                ? "a tensor lives in device memory"
                                : "the allocator gives device memory") +
                    "; copying it needs the CUDA extension");
  }
  const std::size_t bytes = tensor.span_bytes();
  void* memory = allocator_->allocate(bytes, target_);
  if (bytes != 0) {
    std::memcpy(memory, tensor.pointer(), bytes);
  }
  Strides strides{};
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    strides[i] = tensor.stride(i);
  }
  const Shape shape = tensor.shape();
  tensor.wrap(memory, shape, tensor.element_type(), allocator_->real_storage(target_),
              allocator_.get().get(), free_block, tensor.bytes_per_element(), &strides);
  tensor.set_recorded_storage_type(target_);
}

}  // namespace gxr
