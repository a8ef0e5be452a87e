#include "tensor_copier.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace gxr {
namespace {

constexpr std::array kTargets{MemoryStorageType::Device, MemoryStorageType::Host,
                              MemoryStorageType::System};  // by mode

}  // namespace

void TensorCopier::declare(Interface& interface) {
  interface.input(receiver_, "receiver", "Messages with tensors");
  interface.output(transmitter_, "transmitter", "The same messages, with their tensors moved");
  interface.parameter(allocator_, "allocator", "Gives memory for the tensors");
  interface
      .parameter(mode_, "mode", "Where the tensors shall live",
                 "Tensors that live there already stay untouched. 0 and 1 need a GPU; with --compat "
                 "gxf the memory that the allocator gives instead will do. The copies are made in "
                 "the order of a CUDA stream: only system memory is waited for.")
      .choices({{"0", "device: on the GPU"},
                {"1", "host: page-locked, reachable by the GPU"},
                {"2", "system: the heap"}});
  streams_.declare(interface);
}

void TensorCopier::initialize() {
  if (*mode_ < 0 || static_cast<std::size_t>(*mode_) >= kTargets.size()) {
    throw Error(ErrorCode::OutOfRange,
                "parameter 'mode' is " + std::to_string(*mode_) + "; there are 0, 1 and 2");
  }
  target_ = kTargets[static_cast<std::size_t>(*mode_)];
  if (target_ != MemoryStorageType::System &&
      (!context().compat_gxf() || DeviceRuntime::find() != nullptr)) {
    streams_.initialize(*this);
  }
}

/// With --compat gxf and no GPU, the memory that stands in for another kind will do.
bool TensorCopier::stays(const Tensor& tensor) const {
  return tensor.recorded_storage_type() == target_ &&
         (tensor.storage_type() == target_ ||
          tensor.storage_type() == allocator_->real_storage(target_)) &&
         !is_on_other_device(tensor);
}

/// Is the tensor on another GPU than the allocator?
bool TensorCopier::is_on_other_device(const Tensor& tensor) const {
  if (tensor.storage_type() != MemoryStorageType::Device || target_ != MemoryStorageType::Device) {
    return false;
  }
  const DeviceRuntime* runtime = DeviceRuntime::find();
  return runtime != nullptr && runtime->device_count() > 1 &&
         runtime->device_of(tensor.pointer()) != context().device_id(*allocator_.get().get());
}

bool TensorCopier::needs_device(const Message& message) const {
  if (streams_.is_initialized()) {
    return true;
  }
  const auto on_device = [](const detail::Part& part) {
    return part.id == TypeIdOf<Tensor>::value &&
           static_cast<const Tensor*>(part.data)->storage_type() == MemoryStorageType::Device;
  };
  return std::any_of(message.begin(), message.end(), on_device);
}

void TensorCopier::tick() {
  Message message = receiver_->receive_unfinished();
  if (!needs_device(message)) {
    message.wait_for_device();
    copy_all(message);
    transmitter_.publish(std::move(message));
    return;
  }
  if (!streams_.is_initialized()) {
    streams_.initialize(*this);
  }
  const cuda::Streams::Tick tick(streams_);
  streams_.accept(receiver_, message);
  copy_all(message);
  transmitter_.publish(std::move(message));
}

void TensorCopier::stop() { streams_.release(); }

void TensorCopier::copy_all(Message& message) {
  for (std::size_t i = 0; i < message.size(); ++i) {
    const detail::Part& part = message.begin()[i];
    if (part.id == TypeIdOf<Tensor>::value) {
      if (const auto& tensor = *static_cast<const Tensor*>(part.data); !stays(tensor)) {
        message.replace(i, copy(tensor));
      }
    }
  }
}

Tensor TensorCopier::copy(const Tensor& tensor) {
  const std::size_t bytes = tensor.span_bytes();
  const MemoryStorageType storage = allocator_->real_storage(target_);
  Tensor moved;
  moved.adopt(*allocator_.get().get(), allocator_->allocate(bytes, target_), tensor.shape(),
              tensor.element_type(), storage, tensor.bytes_per_element(), &tensor.strides());
  moved.set_recorded_storage_type(target_);
  const bool on_host =
      tensor.storage_type() != MemoryStorageType::Device && storage != MemoryStorageType::Device;
  if (bytes != 0 && on_host && !streams_.is_initialized()) {
    std::memcpy(moved.pointer(), tensor.pointer(), bytes);
  } else if (bytes != 0) {
    streams_.copy(moved.pointer(), tensor.pointer(), bytes);
  }
  return moved;
}

}  // namespace gxr
