#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "sdk/allocator_memory.hpp"
#include "system/spin_lock.hpp"

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

namespace {

/// Memory of one of the three kinds.
class ArenaMemory {
 public:
  ArenaMemory(std::size_t bytes, MemoryStorageType storage, int device,
              const HostMemoryOptions& host)
      : storage_(storage),
        pointer_(storage == MemoryStorageType::System
                     ? allocate_system_memory(bytes)
                     : DeviceRuntime::get().allocate(bytes, storage, device, host)) {}
  ArenaMemory(const ArenaMemory&) = delete;
  ArenaMemory& operator=(const ArenaMemory&) = delete;
  ~ArenaMemory() { reset(); }

  [[nodiscard]] std::byte* get() const noexcept { return static_cast<std::byte*>(pointer_); }
  void release() noexcept { pointer_ = nullptr; }
  void reset() noexcept {
    void* const memory = std::exchange(pointer_, nullptr);
    if (memory == nullptr) {
      return;
    }
    if (storage_ == MemoryStorageType::System) {
      std::free(memory);
    } else {
      DeviceRuntime::get().free(memory, storage_);
    }
  }

 private:
  MemoryStorageType storage_;
  void* pointer_;
};

/// A block that nobody has, and the work that may still use it.
struct FreeBlock {
  static constexpr std::size_t kMost = 4;

  std::uint32_t index = 0;
  std::uint32_t pending = 0;
  std::array<DeviceWork, kMost> works{};

  /// Keeps what a user has been given so far. More users than there is room for are joined with one
  /// before them, which waits for them.
  void add(DeviceStream& stream) {
    const DeviceWork work = stream.mark();
    if (pending < kMost) {
      set(works[pending++], work);
      return;
    }
    const auto done = std::find_if(works.begin(), works.end(), [](const DeviceWork& earlier) {
      return earlier.stream->is_known_done(earlier.number);
    });
    if (done != works.end()) {
      set(*done, work);
    } else {
      works[0].stream->wait_for(work);
      works[0] = works[0].stream->mark();
    }
  }
  /// Is block `number` from now on, with the work of `other`.
  void take_over(std::uint32_t number, const FreeBlock& other) noexcept {
    index = number;
    pending = other.pending;
    for (std::uint32_t i = 0; i < pending; ++i) {
      set(works[i], other.works[i]);
    }
  }
  /// Member by member: a copy of both reads what the processor has not yet written, and stalls.
  static void set(DeviceWork& place, const DeviceWork& work) noexcept {
    place.stream = work.stream;
    place.number = work.number;
  }
  /// Can work of `stream`, or everybody if that is null, use it without waiting for others?
  [[nodiscard]] bool is_ready_for(const DeviceStream* stream) const noexcept {
    return std::all_of(works.begin(), works.begin() + pending, [&](const DeviceWork& work) {
      return work.stream == stream || work.stream->is_known_done(work.number);
    });
  }
  /// Orders `stream`, or the caller if that is null, after the work.
  void wait(DeviceStream* stream) const {
    std::for_each(works.begin(), works.begin() + pending, [&](const DeviceWork& work) {
      if (stream != nullptr) {
        stream->wait_for(work);
      } else {
        work.stream->wait_on_host(work.number);
      }
    });
  }
  /// See finish_on_host().
  [[nodiscard]] bool finish() const noexcept {
    return std::all_of(works.begin(), works.begin() + pending, finish_on_host);
  }
};

/// Free blocks in the order in which they came back.
class FreeBlocks {
 public:
  /// Room for `count` blocks, which are all free.
  explicit FreeBlocks(std::size_t count) : ring_(count), size_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      ring_[i].index = static_cast<std::uint32_t>(count - 1 - i);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The block that came back `age` blocks before the last one.
  [[nodiscard]] FreeBlock& newest(std::size_t age) noexcept {
    return ring_[wrapped(head_ + size_ - 1 - age)];
  }
  [[nodiscard]] FreeBlock& oldest() noexcept { return ring_[head_]; }
  template <class F>
  void for_each(F&& use) {
    for (std::size_t age = 0; age < size_; ++age) {
      use(newest(age));
    }
  }

  /// A new last block, to be filled in.
  FreeBlock& add() noexcept {
    FreeBlock& block = ring_[wrapped(head_ + size_++)];
    block.pending = 0;
    return block;
  }
  FreeBlock take_newest(std::size_t age) noexcept {
    if (age != 0) {
      std::swap(newest(age), newest(0));
    }
    return ring_[wrapped(head_ + --size_)];
  }
  FreeBlock take_oldest() noexcept {
    const FreeBlock block = ring_[head_];
    head_ = wrapped(head_ + 1);
    --size_;
    return block;
  }

 private:
  [[nodiscard]] std::size_t wrapped(std::size_t place) const noexcept {
    return place < ring_.size() ? place : place - ring_.size();
  }

  std::vector<FreeBlock> ring_;
  std::size_t head_ = 0;
  std::size_t size_;
};

}  // namespace

/// Memory of a pool and its free blocks.
struct BlockMemoryPool::Arena {
  static constexpr std::size_t kForeign = std::numeric_limits<std::size_t>::max();

  Arena(const BlockMemoryPool& pool, MemoryStorageType where, const HostMemoryOptions& host)
      : storage(where),
        device(where == MemoryStorageType::Device ? pool.context().device_id(pool) : 0),
        stride(block_stride(pool.full_name(), *pool.block_size_)),
        bytes(arena_bytes(pool.full_name(), stride, *pool.num_blocks_)),
        memory(bytes, where, device, host),
        free(*pool.num_blocks_) {
    const std::uint64_t num_blocks = *pool.num_blocks_;
    if (memory.get() == nullptr && where == MemoryStorageType::Device) {
      throw_out_of_device_memory(pool, bytes, device);
    }
    if (memory.get() == nullptr && where == MemoryStorageType::Host) {
      throw_out_of_host_memory(pool, bytes);
    }
    if (memory.get() == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "'" + pool.full_name() + "': the system has no " +
                                              std::to_string(bytes) + " bytes for " +
                                              count_of_blocks(num_blocks) + " of " +
                                              std::to_string(*pool.block_size_) + " bytes");
    }
    in_use.resize(num_blocks, false);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    if (out() > 0) {
      // Somebody still reads these blocks. Losing the memory is better than pulling it away.
      memory.release();
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return in_use.size(); }
  [[nodiscard]] std::size_t out() const noexcept { return count() - free.size(); }

  /// Number of the block that begins at `pointer` and is in use, else kForeign.
  [[nodiscard]] std::size_t index_of(const void* pointer) const noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.get());
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (memory.get() == nullptr || address < begin || address - begin >= bytes) {
      return kForeign;
    }
    const std::size_t index = (address - begin) / stride;
    return (address - begin) % stride == 0 && in_use[index] ? index : kForeign;
  }

  /// Takes a block out for `stream`, or for everybody: the last that came back whose users are no
  /// matter to `stream`, else the one that came back first, whose work is still to be waited for.
  /// Precondition: there is one.
  FreeBlock take(const DeviceStream* stream) {
    constexpr std::size_t kLooks = 4;
    for (std::size_t age = 0; age < std::min(kLooks, free.size()); ++age) {
      if (free.newest(age).is_ready_for(stream)) {
        return in_use_from_now(free.take_newest(age));
      }
    }
    return in_use_from_now(free.take_oldest());
  }
  FreeBlock in_use_from_now(const FreeBlock& block) {
    in_use[block.index] = true;
    most_out = std::max(most_out, out());
    return block;
  }
  void put_back(const FreeBlock& block) {
    in_use[block.index] = false;
    free.add() = block;
  }
  [[nodiscard]] std::byte* address_of(const FreeBlock& block) const noexcept {
    return memory.get() + block.index * stride;
  }

  /// Frees the memory after all work that uses it. Precondition: all blocks are back.
  void let_go() {
    bool finished = true;
    free.for_each([&](const FreeBlock& block) { finished = finished && block.finish(); });
    if (finished) {
      memory.reset();
    } else {
      memory.release();
    }
  }

  MemoryStorageType storage;
  int device;
  std::size_t stride;
  std::size_t bytes;
  ArenaMemory memory;
  SpinLock mutex;   // guards the members below
  FreeBlocks free;  // the last is given out first: the block that is still in the cache
  std::vector<bool> in_use;
  std::size_t most_out = 0;  // blocks at a time
  bool closed = false;       // deinitialize() ran; the memory goes with the last block
};

BlockMemoryPool::BlockMemoryPool() = default;
BlockMemoryPool::~BlockMemoryPool() = default;

void BlockMemoryPool::declare(Interface& interface) {
  interface
      .parameter(storage_type_, "storage_type", "Where the memory lives",
                 "0 and 1 need a GPU.")
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
  interface
      .parameter(mapped_, "mapped", "Whether host memory is also in the GPU's address space",
                 "For storage type 0; other types ignore it.")
      .default_value(false);
  interface
      .parameter(write_combining_, "write_combining",
                 "Whether host memory bypasses the CPU's caches",
                 "For storage type 0: faster for the GPU to read, slow for the CPU to read. Other "
                 "types ignore it.")
      .default_value(false);
  declare_plain_host_memory(interface, do_not_use_cuda_malloc_host_);
}

/// Where memory is to live that is asked for as `storage`.
MemoryStorageType BlockMemoryPool::chosen_storage(MemoryStorageType storage) const {
  return host_storage(storage, do_not_use_cuda_malloc_host_);
}

void BlockMemoryPool::initialize() {
  const MemoryStorageType wanted = chosen_storage(static_cast<MemoryStorageType>(*storage_type_));
  if (wanted != MemoryStorageType::System && !context().compat_gxf() &&
      DeviceRuntime::find() == nullptr) {
    throw Error(ErrorCode::NotSupported,
                "parameter 'storage_type': " + std::to_string(*storage_type_) + " (" +
                    to_string(wanted) +
                    " memory) needs a GPU; write `storage_type: 2` for system "
                    "memory (" +
                    DeviceRuntime::why_none() + ")");
  }
  const MemoryStorageType storage = usable_storage(*this, wanted, warned_);
  if (arena_ != nullptr && arena_->out() > 0) {
    throw Error(ErrorCode::InvalidState,
                "initialized again while " + count_of_blocks(arena_->out()) + " are in use");
  }
  holder_.reset();
  arena_.reset();
  arena_ = std::make_unique<Arena>(*this, storage, HostMemoryOptions{*mapped_, *write_combining_});
  if (storage == MemoryStorageType::Device) {
    holder_ = std::make_unique<DeviceMemoryHolder>(*this);
  }
}

void BlockMemoryPool::deinitialize() {
  std::size_t out = 0;
  {
    const std::lock_guard lock(arena_->mutex);
    arena_->closed = true;
    out = arena_->out();
  }
  if (out == 0) {
    arena_->let_go();
    return;
  }
  log_warning(std::to_string(out) + " of " + count_of_blocks(arena_->count()) +
              " are still in use; their memory is kept until they come back");
}

void* BlockMemoryPool::allocate(std::size_t size, MemoryStorageType storage) {
  if (arena_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "'" + full_name() + "' was used before its initialize()");
  }
  require_storage(storage);
  // Page-locked memory is also written by the CPU, which no stream keeps waiting.
  const bool on_device = arena_->storage == MemoryStorageType::Device;
  DeviceStream* const stream = on_device ? current_device_stream() : nullptr;
  FreeBlock block;
  {
    const std::lock_guard lock(arena_->mutex);
    require_block(size);
    block = arena_->take(stream);
  }
  if (!block.is_ready_for(stream)) {
    try {
      block.wait(stream);
    } catch (...) {
      const std::lock_guard lock(arena_->mutex);
      arena_->put_back(block);
      throw;
    }
  }
  return arena_->address_of(block);
}

/// Throws unless a block of `size` can be taken now. Call with the arena's mutex held.
void BlockMemoryPool::require_block(std::size_t size) const {
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
}

/// Page-locked memory serves as system memory, too; other kinds do not replace each other.
void BlockMemoryPool::require_storage(MemoryStorageType storage) {
  const MemoryStorageType own = arena_->storage;
  const MemoryStorageType wanted = expected_storage(*this, chosen_storage(storage));
  const bool serves =
      wanted == own || (wanted == MemoryStorageType::System && own == MemoryStorageType::Host);
  if (serves || context().compat_gxf()) {
    return;
  }
  static_cast<void>(usable_storage(*this, storage, warned_));
  throw Error(ErrorCode::InvalidArgument, "'" + full_name() + "' was asked for " +
                                              to_string(storage) + " memory and gives " +
                                              to_string(own) + " memory; set its storage_type to " +
                                              std::to_string(static_cast<std::int32_t>(storage)));
}

void BlockMemoryPool::free(void* pointer) { give_back(pointer, {}); }

void BlockMemoryPool::free_after(void* pointer, const DeviceUsers& users) {
  give_back(pointer, users);
}

void BlockMemoryPool::give_back(void* pointer, const DeviceUsers& users) {
  if (pointer == nullptr) {
    return;
  }
  if (arena_ == nullptr) {
    throw_foreign_pointer(*this);
  }
  // Before the lock, since it may ask the driver. A block that does not come back would be lost, so
  // that an error of the driver waits.
  FreeBlock block;
  std::exception_ptr failure;
  if (arena_->storage != MemoryStorageType::System) {
    try {
      users.for_each_with_tick([&](DeviceStream& user) { block.add(user); });
    } catch (...) {
      failure = std::current_exception();
    }
  }
  bool last = false;
  {
    const std::lock_guard lock(arena_->mutex);
    const std::size_t index = arena_->index_of(pointer);
    if (index == Arena::kForeign) {
      throw_foreign_pointer(*this);
    }
    arena_->in_use[index] = false;
    arena_->free.add().take_over(static_cast<std::uint32_t>(index), block);
    last = arena_->closed && arena_->out() == 0;
  }
  if (last) {
    arena_->let_go();
  }
  announce_free();
  if (failure) {
    std::rethrow_exception(failure);
  }
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

std::optional<MemoryUse> BlockMemoryPool::memory_use() const {
  if (arena_ == nullptr) {
    return MemoryUse{};
  }
  const std::lock_guard lock(arena_->mutex);
  return MemoryUse{arena_->out() * block_size(), arena_->most_out * block_size()};
}

std::size_t BlockMemoryPool::block_size() const { return *block_size_; }

MemoryStorageType BlockMemoryPool::real_storage(MemoryStorageType storage) const {
  return arena_ != nullptr ? arena_->storage : expected_storage(*this, chosen_storage(storage));
}

std::size_t BlockMemoryPool::device_bytes() const {
  const bool holds = arena_ != nullptr && arena_->storage == MemoryStorageType::Device &&
                     arena_->memory.get() != nullptr;
  return holds ? arena_->bytes : 0;
}

}  // namespace gxr
