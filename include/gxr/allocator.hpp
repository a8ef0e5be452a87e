#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/device_work.hpp"
#include "gxr/interface.hpp"

namespace gxr {

class DeviceMemoryHolder;
class DeviceMemoryPool;
class KeptMemory;

/// Where memory lives. The numbers are GXF's.
enum class MemoryStorageType : std::int32_t {
  Host = 0,    ///< page-locked, reachable by the GPU; needs one, see Allocator
  Device = 1,  ///< on the GPU; likewise
  System = 2,  ///< the heap
};
/// "host", "device" or "system".
GXR_API const char* to_string(MemoryStorageType storage) noexcept;

/// Memory that an allocator has given out, and not got back.
struct MemoryUse {
  std::uint64_t bytes = 0;       ///< now
  std::uint64_t peak_bytes = 0;  ///< most at a time since initialize()
};

/// Gives memory to tensors. Thread-safe.
///
/// In a tick with device work (see gxr::cuda::Streams), host and device memory is given for that
/// work, without waiting for those who used it before: their work is ordered before. Elsewhere it
/// is given when their work is done.
///
/// Without a GPU there is system memory only. With `--compat gxf` the allocators here give it,
/// after one warning, where host or device memory is asked for, so that applications whose files
/// mention a GPU that they do not need run without one.
class GXR_API Allocator : public Component {
 public:
  ~Allocator() override;

  /// At least `size` bytes, aligned to 64 (system memory). Throws Error: OutOfMemory when there is
  /// none now, InvalidArgument for a size or storage type that this allocator never gives,
  /// NotSupported for host and device memory without a GPU.
  virtual void* allocate(std::size_t size, MemoryStorageType storage) = 0;
  /// Takes back what allocate() gave; nullptr is ignored. Throws Error(InvalidArgument) for any
  /// other pointer.
  virtual void free(void* pointer) = 0;
  /// Takes back what work of these streams may still use: it is given out again after that, or
  /// ordered after it. Does not wait where that can be avoided; allocators that know nothing of
  /// devices do.
  virtual void free_after(void* pointer, const DeviceUsers& users);
  /// free_after(), a failure of which is logged as that of release() is.
  static void release_after(Allocator& allocator, void* pointer, const DeviceUsers& users) noexcept;
  /// free() in the shape of a Tensor::ReleaseFunction, `allocator` being an Allocator. A failure,
  /// which means that memory was damaged, is logged: there is nobody to throw to.
  static void release(void* allocator, void* pointer) noexcept;
  /// Where memory really lives that allocate() gives for `storage`.
  [[nodiscard]] virtual MemoryStorageType real_storage(MemoryStorageType storage) const {
    return storage;
  }
  /// Would allocate(size) succeed now?
  [[nodiscard]] virtual bool is_available(std::size_t size) const = 0;
  /// Bytes of one block, 1 for allocators without blocks.
  [[nodiscard]] virtual std::size_t block_size() const { return 1; }
  /// Are `bytes` free now, though perhaps not in one piece?
  [[nodiscard]] virtual bool has_free(std::size_t bytes) const { return is_available(bytes); }
  /// Bytes of GPU memory that it holds now, given out or not; named when a GPU has no more.
  [[nodiscard]] virtual std::size_t device_bytes() const { return 0; }
  /// The memory that it has given out; none when it does not count that. Any thread, from
  /// initialize() on.
  [[nodiscard]] virtual std::optional<MemoryUse> memory_use() const { return std::nullopt; }
  /// Does free() call announce_free()? Whoever waits for the memory of other allocators has to
  /// ask again and again.
  [[nodiscard]] virtual bool announces_free() const noexcept { return false; }

  /// From now on, and until unwatch(), Context::notify is called for `term` whenever memory is
  /// freed. `term` must outlive that.
  void watch(const Component& term);
  /// Ends watch(); nothing happens for a term that does not watch.
  void unwatch(const Component& term);

 protected:
  /// Tells those who watch that memory was freed. Call without locks of your own.
  void announce_free();

 private:
  std::atomic<bool> is_watched_{false};
  std::mutex watchers_mutex_;
  std::vector<const Component*> watchers_;
};

/// Heap memory, one call each. Pieces of 128 KiB and more are kept when they come back, for the
/// next request of about that size: at most as many bytes as were in use at a time in the run.
///
/// Device memory comes from a pool of the driver that is the allocator's own, page-locked memory
/// from one of the process; neither call waits for the device.
class GXR_API UnboundedAllocator final : public Allocator {
 public:
  UnboundedAllocator();
  ~UnboundedAllocator() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  void free_after(void* pointer, const DeviceUsers& users) override;
  [[nodiscard]] MemoryStorageType real_storage(MemoryStorageType storage) const override;
  [[nodiscard]] bool is_available(std::size_t size) const override;
  [[nodiscard]] std::size_t device_bytes() const override;
  [[nodiscard]] std::optional<MemoryUse> memory_use() const override;
  [[nodiscard]] bool announces_free() const noexcept override { return true; }

 private:
  DeviceMemoryPool& device_pool();
  void* allocate_on_device(std::size_t size);
  void* allocate_in_system(std::size_t size);
  void give_back(void* pointer, MemoryStorageType storage, std::size_t size,
                 const DeviceUsers& users);
  [[nodiscard]] MemoryStorageType chosen_storage(MemoryStorageType storage) const;

  Parameter<bool> do_not_use_cuda_malloc_host_;
  struct Piece {
    MemoryStorageType storage;
    std::size_t size;
  };

  mutable std::mutex mutex_;              // guards the members below
  std::unordered_map<void*, Piece> out_;  // what was allocated and not freed
  MemoryUse use_;
  std::unique_ptr<KeptMemory> kept_;               // large pieces of the system, to be used again
  std::unique_ptr<DeviceMemoryPool> device_pool_;  // made when it is needed first
  std::unique_ptr<DeviceMemoryHolder> holder_;
  std::atomic<bool> warned_{false};
};

/// `num_blocks` blocks of `block_size` bytes, allocated once; a request takes one block. Blocks
/// that are still in use at deinitialize() stay valid until they come back. A block of host or
/// device memory that the work of another stream may still use is given out again ordered after
/// that work.
class GXR_API BlockMemoryPool final : public Allocator {
 public:
  BlockMemoryPool();
  ~BlockMemoryPool() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  void free_after(void* pointer, const DeviceUsers& users) override;
  [[nodiscard]] MemoryStorageType real_storage(MemoryStorageType storage) const override;
  [[nodiscard]] bool is_available(std::size_t size) const override;
  [[nodiscard]] std::size_t block_size() const override;
  /// How many blocks there are, in use or not.
  [[nodiscard]] std::uint64_t num_blocks() const { return num_blocks_.get(); }
  /// What memory the blocks are of.
  [[nodiscard]] MemoryStorageType storage_type() const {
    return static_cast<MemoryStorageType>(storage_type_.get());
  }
  [[nodiscard]] bool has_free(std::size_t bytes) const override;
  [[nodiscard]] std::size_t device_bytes() const override;
  [[nodiscard]] std::optional<MemoryUse> memory_use() const override;
  [[nodiscard]] bool announces_free() const noexcept override { return true; }

 private:
  struct Arena;

  void require_storage(MemoryStorageType storage);
  void require_block(std::size_t size) const;
  void give_back(void* pointer, const DeviceUsers& users);
  [[nodiscard]] MemoryStorageType chosen_storage(MemoryStorageType storage) const;

  Parameter<std::int32_t> storage_type_;
  Parameter<std::uint64_t> block_size_;
  Parameter<std::uint64_t> num_blocks_;
  Parameter<bool> mapped_;
  Parameter<bool> write_combining_;
  Parameter<bool> do_not_use_cuda_malloc_host_;
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<DeviceMemoryHolder> holder_;
  std::atomic<bool> warned_{false};
};

}  // namespace gxr
