#include "parts.hpp"

#include <array>
#include <string>

namespace nvidia::gxf::layer {
gxr::Shape to_native(const Shape& shape) {
  std::array<std::int32_t, Shape::kMaxRank> dimensions{};
  for (std::uint32_t i = 0; i < shape.rank(); ++i) {
    dimensions[i] = shape.dimension(i);
  }
  return gxr::Shape(dimensions.data(), shape.rank());
}

gxf_result_t code_of_error(const gxr::Error& error) {
  GXF_LOG_ERROR("%s", error.what());
  return error.code() == gxr::ErrorCode::WrongType ? GXF_INVALID_DATA_FORMAT : code_of(error);
}

gxf_result_t code_of_error(const gxr::Error& error, const gxr::Allocator& allocator) {
  GXF_LOG_ERROR("%s", error.what());
  if (error.code() == gxr::ErrorCode::OutOfMemory && allocator.block_size() > 1) {
    return GXF_EXCEEDING_PREALLOCATED_SIZE;
  }
  // Without a GPU there is no memory of these kinds.
  return error.code() == gxr::ErrorCode::NotSupported ? GXF_OUT_OF_MEMORY : code_of(error);
}

void Closure::run(void* owner, void* pointer) noexcept {
  const std::unique_ptr<Closure> closure(static_cast<Closure*>(owner));
  if (!closure->release) {
    return;
  }
  try {
    const Expected<void> result = closure->release(pointer);
    if (!result) {
      GXF_LOG_ERROR("A release function failed: %s", GxfResultStr(result.error()));
    }
  } catch (const std::exception& error) {
    GXF_LOG_ERROR("A release function failed: %s", error.what());
  }
}

Expected<gxr::MemoryStorageType> storage_to_allocate(MemoryStorageType storage_type) {
  switch (storage_type) {
    case MemoryStorageType::kHost:
    case MemoryStorageType::kDevice:
    case MemoryStorageType::kSystem:
      return static_cast<gxr::MemoryStorageType>(storage_type);
    case MemoryStorageType::kCudaManaged:
      break;
  }
  GXF_LOG_ERROR("No allocator gives memory of storage type %d", static_cast<int>(storage_type));
  return Unexpected{GXF_ARGUMENT_INVALID};
}

Expected<Allocated> allocate_memory(const Handle<Allocator>& allocator, std::uint64_t size,
                                    MemoryStorageType storage_type) {
  if (allocator.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  Allocated allocated;
  allocated.closure = std::make_unique<Closure>();
  gxr::Allocator* const native = native_allocator(*allocator.get());
  if (native == nullptr) {
    const Expected<byte*> memory = allocator->allocate(size, storage_type);
    if (!memory) {
      return ForwardError(memory);
    }
    allocated.pointer = memory.value();
    allocated.storage = to_native(storage_type);
    allocated.closure->release = [allocator](void* pointer) {
      return allocator->free(static_cast<byte*>(pointer));
    };
    return allocated;
  }
  const auto storage = storage_to_allocate(storage_type);
  if (!storage) {
    return ForwardError(storage);
  }
  const Expected<void> result = attempt(
      [&] {
        auto memory = std::make_shared<gxr::OwnedMemory>();
        memory->allocate(*native, size, storage.value());
        allocated.pointer = memory->pointer();
        allocated.storage = memory->storage_type();
        allocated.closure->keeps = std::move(memory);
      },
      [&](const gxr::Error& error) { return code_of_error(error, *native); });
  if (!result) {
    return ForwardError(result);
  }
  return allocated;
}

}  // namespace nvidia::gxf::layer
