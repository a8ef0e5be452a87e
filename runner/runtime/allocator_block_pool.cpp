#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/error.hpp"
#include "runtime/allocator_memory.hpp"

namespace gxr {
namespace {

std::string count_of_blocks(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " block" : " blocks");
}

/// Distance of blocks in the arena: the block size, rounded up so that every block is aligned.
std::size_t block_stride(const std::string& pool, std::uint64_t block_size) {
  std::uint64_t stride = 0;
  if (__builtin_add_overflow(block_size, kMemoryAlignment - 1, &stride)) {
    throw Error(ErrorCode::InvalidParameter, "'" + pool + "': parameter 'block_size': " +
                                                 std::to_string(block_size) + " is too large");
  }
  return stride / kMemoryAlignment * kMemoryAlignment;
}

std::size_t arena_bytes(const std::string& pool, std::size_t stride, std::uint64_t num_blocks) {
  std::size_t bytes = 0;
  if (num_blocks > std::numeric_limits<std::uint32_t>::max() ||
      __builtin_mul_overflow(stride, num_blocks, &bytes)) {
    throw Error(ErrorCode::InvalidParameter,
                "'" + pool + "': num_blocks (" + std::to_string(num_blocks) + ") blocks of " +
                    std::to_string(stride) + " bytes are more than a pool can hold");
  }
  return bytes;
}

}  // namespace

/// Memory of a pool and the stack of its free blocks.
struct BlockMemoryPool::Arena {
  static constexpr std::size_t kForeign = std::numeric_limits<std::size_t>::max();

  Arena(const std::string& pool, std::size_t block_size, std::uint64_t num_blocks)
      : stride(block_stride(pool, block_size)), bytes(arena_bytes(pool, stride, num_blocks)) {
    memory.reset(static_cast<std::byte*>(allocate_system_memory(bytes)));
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory,
                  "'" + pool + "': the system has no " + std::to_string(bytes) + " bytes for " +
                      count_of_blocks(num_blocks) + " of " + std::to_string(block_size) + " bytes");
    }
    in_use.resize(num_blocks, false);
    for (auto i = static_cast<std::uint32_t>(num_blocks); i-- > 0;) {
      free.push_back(i);
    }
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    if (out() > 0) {
      // Somebody still reads these blocks. Losing the memory is better than pulling it away.
      static_cast<void>(memory.release());
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return in_use.size(); }
  [[nodiscard]] std::size_t out() const noexcept { return count() - free.size(); }

  /// Number of the block that begins at `pointer` and is in use, else kForeign.
  [[nodiscard]] std::size_t index_of(const void* pointer) const noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.get());
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (memory == nullptr || address < begin || address - begin >= bytes) {
      return kForeign;
    }
    const std::size_t index = (address - begin) / stride;
    return (address - begin) % stride == 0 && in_use[index] ? index : kForeign;
  }

  std::size_t stride;
  std::size_t bytes;
  SystemMemory memory;
  std::mutex mutex;                 // guards the members below
  std::vector<std::uint32_t> free;  // last in, first out: the block that is still in the cache
  std::vector<bool> in_use;
  bool closed = false;  // deinitialize() ran; the memory goes with the last block
};

BlockMemoryPool::BlockMemoryPool() = default;
BlockMemoryPool::~BlockMemoryPool() = default;

void BlockMemoryPool::declare(Interface& interface) {
  interface
      .parameter(storage_type_, "storage_type", "Where the memory lives",
                 "0 and 1 need the CUDA extension.")
      .default_value(static_cast<std::int32_t>(MemoryStorageType::Host))
      .choices({{"0", "host: page-locked, reachable by the GPU"},
                {"1", "device: on the GPU"},
                {"2", "system: the heap"}});
  interface.parameter(block_size_, "block_size", "Size of one block, the most a tensor can take")
      .minimum(1)
      .unit("bytes");
  interface.parameter(num_blocks_, "num_blocks", "Blocks, one for each tensor in use at a time")
      .minimum(1)
      .unit("blocks");
}

void BlockMemoryPool::initialize() {
  const auto storage = static_cast<MemoryStorageType>(*storage_type_);
  const bool on_gpu = storage == MemoryStorageType::Host || storage == MemoryStorageType::Device;
  if (on_gpu && !context().compat_gxf()) {
    throw Error(ErrorCode::NotSupported,
                "parameter 'storage_type': " + std::to_string(*storage_type_) + " (" +
                    to_string(storage) +
                    " memory) needs the CUDA extension; write `storage_type: 2` for system memory");
  }
  require_system_storage(*this, storage, warned_);
  if (arena_ != nullptr && arena_->out() > 0) {
    throw Error(ErrorCode::InvalidState,
                "initialized again while " + count_of_blocks(arena_->out()) + " are in use");
  }
  arena_ = std::make_unique<Arena>(full_name(), *block_size_, *num_blocks_);
}

void BlockMemoryPool::deinitialize() {
  const std::lock_guard lock(arena_->mutex);
  arena_->closed = true;
  if (arena_->out() == 0) {
    arena_->memory.reset();
    return;
  }
  log_warning(std::to_string(arena_->out()) + " of " + count_of_blocks(arena_->count()) +
              " are still in use; their memory is kept until they come back");
}

void* BlockMemoryPool::allocate(std::size_t size, MemoryStorageType storage) {
  require_system_storage(*this, storage, warned_);
  if (arena_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "'" + full_name() + "' was used before its initialize()");
  }
  const std::lock_guard lock(arena_->mutex);
  if (arena_->closed) {
    throw Error(ErrorCode::InvalidState, "'" + full_name() + "' was used after its deinitialize()");
  }
  if (size > block_size()) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + full_name() + "': " + std::to_string(size) +
                    " bytes do not fit into a block of " + std::to_string(block_size()) +
                    "; set block_size to " + std::to_string(size) + " or more (num_blocks is " +
                    std::to_string(arena_->count()) + ", " + std::to_string(arena_->out()) +
                    " in use)");
  }
  if (arena_->free.empty()) {
    const std::string which = arena_->count() == 1
                                  ? "its only block"
                                  : "each of its " + std::to_string(arena_->count()) + " blocks";
    throw Error(ErrorCode::OutOfMemory,
                "'" + full_name() + "': " + which + " of " + std::to_string(block_size()) +
                    " bytes is in use; raise num_blocks, or let fewer messages wait in queues");
  }
  const std::uint32_t index = arena_->free.back();
  arena_->free.pop_back();
  arena_->in_use[index] = true;
  return arena_->memory.get() + index * arena_->stride;
}

void BlockMemoryPool::free(void* pointer) {
  if (pointer == nullptr) {
    return;
  }
  if (arena_ == nullptr) {
    throw_foreign_pointer(*this);
  }
  {
    const std::lock_guard lock(arena_->mutex);
    const std::size_t index = arena_->index_of(pointer);
    if (index == Arena::kForeign) {
      throw_foreign_pointer(*this);
    }
    arena_->in_use[index] = false;
    arena_->free.push_back(static_cast<std::uint32_t>(index));
    if (arena_->closed && arena_->out() == 0) {
      arena_->memory.reset();
    }
  }
  announce_free();
}

bool BlockMemoryPool::is_available(std::size_t size) const {
  if (arena_ == nullptr || size > block_size()) {
    return false;
  }
  const std::lock_guard lock(arena_->mutex);
  return !arena_->closed && !arena_->free.empty();
}

bool BlockMemoryPool::has_free(std::size_t bytes) const {
  if (arena_ == nullptr) {
    return false;
  }
  const std::lock_guard lock(arena_->mutex);
  return !arena_->closed &&
         bytes / block_size() + (bytes % block_size() != 0 ? 1 : 0) <= arena_->free.size();
}

std::size_t BlockMemoryPool::block_size() const { return *block_size_; }

}  // namespace gxr
