// Copies of parts of messages, for holders that want to change them.

#include "device/memory_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

constexpr std::size_t kAligned = 64;

void free_system(void* /*owner*/, void* pointer) noexcept { std::free(pointer); }
void free_host(void* runtime, void* pointer) noexcept {
  static_cast<DeviceRuntime*>(runtime)->free(pointer, MemoryStorageType::Host);
}
void free_device(void* runtime, void* pointer) noexcept {
  static_cast<DeviceRuntime*>(runtime)->free(pointer, MemoryStorageType::Device);
}

/// Memory of this kind that belongs to no allocator.
CopiedMemory take_memory(const PartMemory& from) {
  if (from.storage == MemoryStorageType::System) {
    const std::uint64_t bytes = (from.bytes + kAligned - 1) / kAligned * kAligned;
    void* const memory = std::aligned_alloc(kAligned, bytes);
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "the system has no " + std::to_string(from.bytes) +
                                              " bytes for a copy that can be changed");
    }
    return {memory, nullptr, free_system};
  }
  DeviceRuntime& runtime = DeviceRuntime::get();
  void* const memory =
      runtime.allocate(from.bytes, from.storage, std::max(runtime.device_of(from.pointer), 0), {});
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory, std::string("there are no ") + std::to_string(from.bytes) +
                                            " bytes of " + to_string(from.storage) +
                                            " memory for a copy that can be changed");
  }
  return {memory, &runtime, from.storage == MemoryStorageType::Host ? free_host : free_device};
}

CopiedMemory take_memory_like(const PartMemory& from) {
  if (from.allocator == nullptr) {
    return take_memory(from);
  }
  const bool as_asked = from.allocator->real_storage(from.asked) == from.storage;
  void* const memory = from.allocator->allocate(from.bytes, as_asked ? from.asked : from.storage);
  return {memory, from.allocator, Allocator::release};
}

/// In a tick with device work, its stream copies; elsewhere the copy is there on return.
void copy_bytes(void* to, const PartMemory& from, DeviceWork& work) {
  if (from.storage == MemoryStorageType::System) {
    std::memcpy(to, from.pointer, from.bytes);
    return;
  }
  DeviceRuntime& runtime = DeviceRuntime::get();
  if (DeviceStream* const stream = current_device_stream(); stream != nullptr) {
    if (work) {
      stream->wait_for(work);
    }
    runtime.copy(to, from.pointer, from.bytes, *stream);
    work = stream->mark();
    return;
  }
  if (work) {
    work.stream->wait_on_host(work.number);
    work = {};
  }
  if (from.storage == MemoryStorageType::Host) {
    std::memcpy(to, from.pointer, from.bytes);
    return;
  }
  const LeasedStream leased({.device = std::max(runtime.device_of(from.pointer), 0)});
  runtime.copy(to, from.pointer, from.bytes, leased.get());
  leased.finish();
}

}  // namespace

CopiedMemory copy_memory(const PartMemory& from, DeviceWork& work) {
  const CopiedMemory copy = take_memory_like(from);
  try {
    copy_bytes(copy.pointer, from, work);
  } catch (...) {
    copy.release(copy.owner, copy.pointer);
    throw;
  }
  return copy;
}

void order_behind(const DeviceUsers& users) {
  DeviceStream* const stream = current_device_stream();
  if (stream == nullptr) {
    users.wait_on_host();
    return;
  }
  users.for_each([&](DeviceStream& user) {
    if (&user != stream) {
      stream->wait_for(user.mark());
    }
  });
}

void before_write(const Tensor& tensor) { order_behind(tensor.device_users()); }

Tensor copy_part(const Tensor& tensor, DeviceWork& work) {
  Tensor copy;
  if (tensor.bytes_per_element() == 0) {
    return copy;  // it was never given memory
  }
  const std::uint64_t bytes = tensor.span_bytes();
  if (bytes == 0) {
    copy.wrap(nullptr, tensor.shape(), tensor.element_type(), tensor.storage_type(), nullptr,
              nullptr, tensor.bytes_per_element(), &tensor.strides());
    return copy;
  }
  if (DeviceStream* const stream = current_device_stream(); stream != nullptr) {
    tensor.add_device_user(*stream);  // before the copy is given to it
  }
  Allocator* const allocator = tensor.allocator();
  const CopiedMemory memory = copy_memory(
      {tensor.pointer(), bytes, tensor.storage_type(), allocator, tensor.recorded_storage_type()},
      work);
  if (allocator != nullptr) {
    copy.adopt(*allocator, memory.pointer, tensor.shape(), tensor.element_type(),
               tensor.storage_type(), tensor.bytes_per_element(), &tensor.strides());
  } else {
    copy.wrap(memory.pointer, tensor.shape(), tensor.element_type(), tensor.storage_type(),
              memory.owner, memory.release, tensor.bytes_per_element(), &tensor.strides());
  }
  copy.set_recorded_storage_type(tensor.recorded_storage_type());
  if (DeviceStream* const stream = current_device_stream(); stream != nullptr) {
    copy.add_device_user(*stream);
  }
  return copy;
}

}  // namespace gxr
