#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "device/device_engine.hpp"
#include "device_marks.hpp"
#include "legacy_stream.hpp"
#include "memory.hpp"
#include "near_memory.hpp"
#include "stream.hpp"
#include "watcher.hpp"

namespace gxr::cuda {

/// DeviceEngine by the CUDA runtime.
class Runtime final : public DeviceEngine {
 public:
  /// Throws Error(NotSupported) without a driver or a GPU.
  Runtime();
  ~Runtime() override;

  [[nodiscard]] int device_count() const noexcept override { return devices_; }
  [[nodiscard]] std::string device_name(int device) const override;
  [[nodiscard]] DeviceMemoryInfo memory_info(int device) const override;
  [[nodiscard]] DeviceObjects objects() const override;
  void use_device(int device) override;

  DeviceStream& acquire_stream(const StreamOptions& options) override;
  void release_stream(DeviceStream& stream) noexcept override;
  void forget_user(const std::string* who) noexcept override;
  [[nodiscard]] DeviceStream* find_stream(CUstream_st* handle) const noexcept override;
  std::vector<std::unique_ptr<DevicePartition>> split_device(int device,
                                                             const std::vector<unsigned>& sms,
                                                             unsigned min_sm_size) override;
  /// Gives up all streams of a partition.
  void retire_streams(const DevicePartition& partition) noexcept;

  void* allocate(std::size_t size, MemoryStorageType storage, int device,
                 const HostMemoryOptions& host) override;
  void free(void* pointer, MemoryStorageType storage) noexcept override;
  [[nodiscard]] std::size_t nearest(void* memory, std::size_t bytes, int device,
                                    const DevicePartition* partition) override {
    return nearest_place(memory, bytes, device, partition);
  }
  std::unique_ptr<DeviceMemoryPool> make_memory_pool(
      const DeviceMemoryPoolOptions& options) override;
  std::unique_ptr<DeviceGraph> make_graph(const DeviceGraphOptions& options) override;
  std::unique_ptr<DeviceLoop> make_loop(const DeviceLoopOptions& options) override;
  [[nodiscard]] GraphMemory graph_memory(int device) const override;
  void trim_graph_memory(int device) override;
  [[nodiscard]] bool has_running_loops() const noexcept override;
  void* allocate_pinned(std::size_t size) override { return pinned_.allocate(size); }
  void free_pinned(void* pointer, const DeviceUsers& users) override {
    pinned_.free(pointer, users);
  }
  [[nodiscard]] SharedDeviceMemory share_memory(void* pointer) override;
  [[nodiscard]] void* open_shared_memory(const SharedDeviceMemory& memory) override;
  void close_shared_memory(void* pointer, std::function<void()> closed) noexcept override;
  [[nodiscard]] int device_of(const void* pointer) const override;
  [[nodiscard]] std::size_t bytes_behind(const void* pointer) const override;

  void copy(void* to, const void* from, std::size_t bytes, DeviceStream& stream) override;
  void clear(void* memory, std::size_t bytes, DeviceStream& stream) override;
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t bytes, std::size_t rows, DeviceStream& stream) override;

  void watch(const DeviceWork& work, const Component& component,
             std::chrono::milliseconds timeout) override;
  void stop_watching(const Component& component) noexcept override;
  void push_range(const char* name) noexcept override;
  void pop_range() noexcept override;
  void forbid_legacy_stream() override;
  void allow_legacy_stream() noexcept override;
  [[nodiscard]] bool checks_captures() override;
  [[nodiscard]] std::vector<UnfinishedWork> unfinished_work(UnfinishedWork::Scope scope) override;
  [[nodiscard]] std::string users_of_unfinished_work() const override;
  void hold_frees() noexcept override;
  void let_frees_go() noexcept override;
  void give_up(const UnfinishedWork& work, const std::string& why) override;
  [[nodiscard]] bool is_given_up(int device) noexcept override;
  /// Throws Error(Device) then.
  void require_in_use(int device);
  [[noreturn]] void fail(const char* call, int error) override;
  void check() override;

  /// Calls what waits for all work of a device: at once, or, while a loop runs, frees are held, or
  /// work has been given up, then. No loop begins meanwhile: loop_began() is called before a
  /// launch. It must not call functions of this object.
  void when_may_wait(std::function<void()> call) noexcept;
  void loop_began(const DeviceLoop& loop, int device) noexcept;
  void loop_ended(const DeviceLoop& loop) noexcept;
  /// The loop object goes although the loop runs, and never ends.
  void loop_left(const DeviceLoop& loop) noexcept;
  [[nodiscard]] bool loads_kernels_late() const override;

  /// Does somebody want to know of work on streams that nobody may use?
  [[nodiscard]] bool checks_streams() const noexcept {
    return bans_.load(std::memory_order_acquire) > 0;
  }

 private:
  void require_device(int device) const;
  [[nodiscard]] std::vector<RuntimeStream*> all_streams() const;
  void open_to_others(int device);
  RuntimeStream& object_for(OwnedStream stream, const StreamOptions& options);

  int devices_ = 0;
  std::mutex devices_mutex_;  // guards used_devices_; held while CUDA is asked
  std::vector<int> used_devices_;
  // Guards the streams. Nothing else is locked and CUDA is not asked while it is held, because an
  // error is described under it.
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<RuntimeStream>> streams_;
  std::vector<RuntimeStream*> idle_;
  std::unordered_map<CUstream_st*, RuntimeStream*> by_handle_;
  PinnedMemory pinned_;
  Watcher watcher_;
  DeviceMarks marks_;
  mutable std::mutex loops_mutex_;  // guards the members below
  struct RunningLoop {
    const DeviceLoop* loop;  // nullptr: it was left
    int device;
  };
  std::vector<RunningLoop> loops_;
  std::atomic<int> holds_{0};  // of frees; begun without the mutex
  std::vector<std::function<void()>> postponed_;
  struct GivenUp {
    UnfinishedWork work;
    std::string why;
  };
  [[nodiscard]] bool has_ended(const UnfinishedWork& work) noexcept;
  [[nodiscard]] bool may_wait_for_devices() const noexcept;
  [[nodiscard]] std::string why_given_up(int device);
  void forget_what_has_ended() noexcept;
  void catch_up() noexcept;
  std::mutex given_up_mutex_;  // guards given_up_
  std::vector<GivenUp> given_up_;
  std::atomic<bool> any_given_up_{false};
  std::mutex bans_mutex_;     // guards changes of the members below
  std::atomic<int> bans_{0};  // who forbids the legacy stream
  std::unique_ptr<LegacyStreamBan> ban_;
};

/// The one of the process.
Runtime& runtime();

}  // namespace gxr::cuda
