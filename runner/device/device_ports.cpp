#include "gxr/cuda/device_ports.hpp"

#include <utility>

#include "gxr/error.hpp"

namespace gxr::cuda {

DevicePort::~DevicePort() = default;
DeviceReceiver::~DeviceReceiver() = default;
DeviceTransmitter::~DeviceTransmitter() = default;

void DevicePort::set_bytes(std::uint64_t bytes) {
  if (bytes == 0) {
    throw Error(ErrorCode::InvalidArgument, "a tensor of 0 bytes passes no port");
  }
  bytes_ = bytes;
  tensor_.reset();
}

void DevicePort::set_tensor(TensorSpec spec) {
  if (spec.bytes() == 0) {
    throw Error(ErrorCode::InvalidArgument,
                "a tensor without elements passes no port: " + spec.to_string());
  }
  tensor_ = std::move(spec);
  bytes_.reset();
}

void DevicePort::set_pointer(void* pointer, std::uint64_t bytes) {
  if (pointer == nullptr || bytes == 0) {
    throw Error(ErrorCode::InvalidArgument, "a port's own memory has an address and a size");
  }
  memory_ = {pointer, bytes};
}

const std::optional<std::uint64_t>& DevicePort::bytes() const noexcept {
  return bytes_ || tensor_ ? bytes_ : declared_bytes_.try_get();
}

const std::optional<TensorSpec>& DevicePort::tensor() const noexcept {
  return bytes_ || tensor_ ? tensor_ : declared_tensor_.try_get();
}

bool DevicePort::has_own_memory() const {
  return memory_.pointer != nullptr || own_pointer_.try_get().value_or(false);
}

void DevicePort::declare_tensor(Interface& interface) {
  interface
      .parameter(declared_bytes_, "bytes", "Size of the tensor in a CUDA graph",
                 "0: the operator says it in initialize(). Left out: 'tensor' says it, or the other "
                 "end of the connection, or the operator's infer().")
      .optional()
      .unit("bytes");
  interface
      .parameter(declared_tensor_, "tensor", "The tensor that passes in a CUDA graph",
                 "Its shape and the type of its elements: {shape: [1080, 1920], dtype: uint16}, or "
                 "as text: uint16 [1080, 1920].")
      .optional();
  interface
      .parameter(own_pointer_, "own_pointer",
                 "Whether the operator gives the tensor's device memory",
                 "It calls set_pointer() of the port in initialize() or start(). Else the memory "
                 "is the graph's.")
      .default_value(false);
}

void DevicePort::forget() noexcept {
  bytes_.reset();
  tensor_.reset();
  memory_ = {};
}

void DeviceReceiver::declare(Interface& interface) {
  StagedQueue::declare(interface);
  interface.plain_queue("capacity", "policy");
  declare_tensor(interface);
}

void DeviceReceiver::deinitialize() {
  StagedQueue::deinitialize();
  forget();
}

void DeviceTransmitter::declare(Interface& interface) {
  StagedQueue::declare(interface);
  interface.plain_queue("capacity", "policy");
  declare_tensor(interface);
}

void DeviceTransmitter::deinitialize() {
  StagedQueue::deinitialize();
  forget();
}

DevicePort* device_port(Queue& queue) noexcept { return dynamic_cast<DevicePort*>(&queue); }

}  // namespace gxr::cuda
