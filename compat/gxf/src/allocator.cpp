#include "gxr/allocator.hpp"

#include "adapters.hpp"
#include "gxf/std/block_memory_pool.hpp"
#include "gxf/std/unbounded_allocator.hpp"
#include "native.hpp"
#include "parts.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

/// An allocator that a source wrote.
class AllocatorAdapter final : public AdapterOf<gxr::Allocator> {
 public:
  explicit AllocatorAdapter(gxf::Allocator& allocator) noexcept
      : AdapterOf(allocator), allocator_(allocator) {}

  void* allocate(std::size_t size, gxr::MemoryStorageType storage) override {
    void* pointer = nullptr;
    const gxf_result_t code =
        allocator_.allocate_abi(size, static_cast<std::int32_t>(storage), &pointer);
    if (code != GXF_SUCCESS) {
      throw gxr::Error(code == GXF_ARGUMENT_INVALID ? gxr::ErrorCode::InvalidArgument
                                                    : gxr::ErrorCode::OutOfMemory,
                       full_name() + ": allocate_abi() of " + std::to_string(size) +
                           " bytes returned " + GxfResultStr(code));
    }
    return pointer;
  }
  void free(void* pointer) override {
    if (pointer == nullptr) {
      return;
    }
    const gxf_result_t code = allocator_.free_abi(pointer);
    if (code != GXF_SUCCESS) {
      throw gxr::Error(gxr::ErrorCode::InvalidArgument,
                       full_name() + ": free_abi() returned " + GxfResultStr(code));
    }
    announce_free();
  }
  [[nodiscard]] bool is_available(std::size_t size) const override {
    return allocator_.is_available_abi(size) == GXF_SUCCESS;
  }
  [[nodiscard]] std::size_t block_size() const override { return allocator_.block_size_abi(); }
  [[nodiscard]] bool announces_free() const noexcept override { return true; }

 private:
  gxf::Allocator& allocator_;
};

}  // namespace

gxf_result_t allocate_native(gxr::Allocator& allocator, std::uint64_t size, std::int32_t type,
                             void** pointer) noexcept {
  return guarded([&] {
    const auto storage = storage_to_allocate(static_cast<MemoryStorageType>(type));
    if (!storage) {
      return storage.error();
    }
    try {
      *pointer = allocator.allocate(size == 0 ? 1 : size, storage.value());
      return GXF_SUCCESS;
    } catch (const gxr::Error& error) {
      return code_of_error(error, allocator);
    }
  });
}

gxf_result_t free_native(gxr::Allocator& allocator, void* pointer) noexcept {
  return guarded([&] {
    allocator.free(pointer);
    return GXF_SUCCESS;
  });
}

}  // namespace layer

Allocator::~Allocator() = default;
std::uint64_t Allocator::block_size_abi() const { return 1; }
gxr::Component* Allocator::make_adapter() {
  auto* const adapter = new layer::AllocatorAdapter(*this);
  adapter_ = adapter;
  return adapter;
}

bool Allocator::is_available(std::uint64_t size) { return is_available_abi(size) == GXF_SUCCESS; }

Expected<byte*> Allocator::allocate(std::uint64_t size, MemoryStorageType type) {
  void* pointer = nullptr;
  const gxf_result_t code = allocate_abi(size, static_cast<std::int32_t>(type), &pointer);
  return ExpectedOrCode(code, static_cast<byte*>(pointer));
}

Expected<void> Allocator::free(byte* pointer) {
  if (adapter_ == nullptr) {
    return ExpectedOrCode(free_abi(pointer));
  }
  // By way of the adapter, which tells those who wait for memory.
  return ExpectedOrCode(layer::guarded([&] {
    adapter_->free(pointer);
    return GXF_SUCCESS;
  }));
}

std::uint64_t Allocator::block_size() const { return block_size_abi(); }

NativeAllocator::~NativeAllocator() = default;

gxf_result_t NativeAllocator::is_available_abi(std::uint64_t size) {
  return allocator_.is_available(size) ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t NativeAllocator::allocate_abi(std::uint64_t size, std::int32_t type, void** pointer) {
  if (pointer == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::allocate_native(allocator_, size, type, pointer);
}

gxf_result_t NativeAllocator::free_abi(void* pointer) {
  return layer::free_native(allocator_, pointer);
}

std::uint64_t NativeAllocator::block_size_abi() const { return allocator_.block_size(); }

BlockMemoryPool::~BlockMemoryPool() = default;
MemoryStorageType BlockMemoryPool::storage_type() const {
  return static_cast<MemoryStorageType>(
      static_cast<gxr::BlockMemoryPool&>(native()).storage_type());
}
std::uint64_t BlockMemoryPool::num_blocks() const {
  return static_cast<gxr::BlockMemoryPool&>(native()).num_blocks();
}
UnboundedAllocator::~UnboundedAllocator() = default;

}  // namespace nvidia::gxf
