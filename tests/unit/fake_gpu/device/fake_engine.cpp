#include "fake_engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "device/device_engine.hpp"
#include "device/device_interface.hpp"
#include "fake_graph.hpp"
#include "fake_loop.hpp"
#include "gxr/component.hpp"
#include "gxr/error.hpp"

namespace gxr::fake {

void set_failed(bool now) noexcept;
void set_pauses(std::uint64_t seed);
void set_order(std::uint64_t seed);

namespace {

using namespace std::chrono_literals;

std::atomic<std::size_t> largest_block{0};
std::atomic<int> devices{1};

[[noreturn]] void throw_not_here(const char* what) {
  throw Error(ErrorCode::NotSupported, std::string("the fake device has no ") + what);
}

/// Blocks of memory of the device, or of page-locked memory.
class Blocks {
 public:
  void* take(std::size_t bytes, bool on_device) {
    void* const block =
        std::aligned_alloc(256, (std::max<std::size_t>(bytes, 1) + 255) / 256 * 256);
    const std::lock_guard lock(mutex_);
    blocks_[static_cast<std::byte*>(block)] = {bytes, on_device};
    return block;
  }
  void give_back(void* block) {
    {
      const std::lock_guard lock(mutex_);
      blocks_.erase(static_cast<std::byte*>(block));
    }
    std::free(block);
  }
  /// Bytes from there to the end of a block of the device; 0: it is in none.
  [[nodiscard]] std::size_t device_bytes_behind(const void* pointer) const {
    const std::lock_guard lock(mutex_);
    const auto [block, behind] = find(pointer);
    return block.on_device ? block.bytes - behind : 0;
  }
  [[nodiscard]] std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
  }
  [[nodiscard]] bool have(const void* pointer) const {
    const std::lock_guard lock(mutex_);
    return find(pointer).first.bytes > 0;
  }

 private:
  struct Block {
    std::size_t bytes = 0;
    bool on_device = false;
  };
  /// The block, and how far behind its begin that is; one of no bytes: there is none.
  [[nodiscard]] std::pair<Block, std::size_t> find(const void* pointer) const {
    const auto* const at = static_cast<const std::byte*>(pointer);
    auto found = blocks_.upper_bound(const_cast<std::byte*>(at));
    if (found == blocks_.begin()) {
      return {};
    }
    --found;
    const auto behind = static_cast<std::size_t>(at - found->first);
    return behind < found->second.bytes ? std::pair(found->second, behind)
                                        : std::pair<Block, std::size_t>{};
  }
  mutable std::mutex mutex_;
  std::map<std::byte*, Block> blocks_;
};

bool is_over(const DeviceWork& work) {
  return has_failed() || work.stream->is_known_done(work.number);
}

/// SMs that nobody has; streams tell by their options whom they belong to.
class FakePartition final : public DevicePartition {
 public:
  explicit FakePartition(unsigned sms) : sms_(sms) {}
  [[nodiscard]] int device() const noexcept override { return 0; }
  [[nodiscard]] unsigned sm_count() const noexcept override { return sms_; }

 private:
  unsigned sms_;
};

/// Spans by the steady clock of the threads that are the streams.
class FakeSpans final : public DeviceSpans {
 public:
  void begin(DeviceStream& stream) noexcept override {
    stream_ = &stream_of(stream);
    note([](Times& times) { times.begin = now(); });
  }
  void end() noexcept override {
    note([](Times& times) {
      times.end = now();
      times.has_ended = true;
    });
    pending_.push_back({std::exchange(open_, std::make_shared<Times>()), number});
    stream_ = nullptr;
  }
  void take_ended(const std::function<void(const DeviceSpan&)>& take) override {
    while (!pending_.empty() && pending_.front().first->has_ended) {
      const auto& [times, tick] = pending_.front();
      take({times->begin, times->end, tick, 0});
      pending_.pop_front();
    }
  }
  [[nodiscard]] bool has_pending() const noexcept override { return !pending_.empty(); }

 private:
  struct Times {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::atomic<bool> has_ended{false};
  };
  static std::int64_t now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  template <class Note>
  void note(Note note) noexcept {
    stream_->push([times = open_, note] { note(*times); });
  }

  FakeStream* stream_ = nullptr;
  std::shared_ptr<Times> open_ = std::make_shared<Times>();
  std::deque<std::pair<std::shared_ptr<Times>, std::int64_t>> pending_;
};

class Engine final : public DeviceEngine,
                     private DeviceMemoryAccess,
                     private DeviceWorkInFlight,
                     private DeviceTools {
 public:
  Engine() : watcher_([this] { watch_all(); }) { watcher_.detach(); }
  [[nodiscard]] DeviceMemoryAccess& memory() noexcept override { return *this; }
  [[nodiscard]] DeviceWorkInFlight& in_flight() noexcept override { return *this; }
  [[nodiscard]] DeviceTools& tools() noexcept override { return *this; }

  // Streams
  DeviceStream& acquire_stream(const StreamOptions& options) override {
    require_device();
    const std::lock_guard lock(mutex_);
    for (const auto& stream : streams_) {
      if (free_.contains(stream.get()) && stream->options() == options) {
        free_.erase(stream.get());
        return *stream;
      }
    }
    return *streams_.emplace_back(std::make_unique<FakeStream>(options));
  }
  void release_stream(DeviceStream& stream) noexcept override {
    const std::lock_guard lock(mutex_);
    free_.insert(&stream);
  }
  void order_default_stream_after(const DeviceWork& work) override {
    default_stream_.wait_for(work);
  }
  void order_after_default_stream(DeviceStream& stream) override {
    stream.wait_for(default_stream_.mark());
  }
  [[nodiscard]] DeviceStream* find_stream(CUstream_st* handle) const noexcept override {
    return handle->stream;
  }
  void forget_user(const std::string* who) noexcept override {
    const std::lock_guard lock(mutex_);
    for (const auto& stream : streams_) {
      stream->forget_user(who);
    }
  }

  // Memory
  void* allocate(std::size_t size, MemoryStorageType storage, int /*device*/,
                 const HostMemoryOptions& /*host*/) override {
    return blocks_.take(size, storage == MemoryStorageType::Device);
  }
  void free(void* pointer, MemoryStorageType /*storage*/) noexcept override {
    free_later(pointer, {});
  }
  std::unique_ptr<DeviceMemoryPool> make_memory_pool(
      const DeviceMemoryPoolOptions& options) override;
  void* allocate_pinned(std::size_t size) override { return blocks_.take(size, false); }
  void free_pinned(void* pointer, const DeviceUsers& users) override { free_later(pointer, users); }
  [[nodiscard]] int device_of(const void* pointer) const override {
    return blocks_.device_bytes_behind(pointer) > 0 ? 0 : -1;
  }
  [[nodiscard]] std::size_t bytes_behind(const void* pointer) const override {
    return blocks_.device_bytes_behind(pointer);
  }
  void* take(std::size_t size) {
    const std::size_t largest = largest_block.load();
    return largest > 0 && size > largest ? nullptr : blocks_.take(size, true);
  }
  std::size_t blocks_in_use() {
    free_what_may_be();
    return blocks_.count();
  }
  /// When the work of the users so far is done, and nothing that CUDA would wait for runs.
  void free_later(void* pointer, const DeviceUsers& users) {
    std::vector<DeviceWork> needed;
    users.for_each_with_tick([&](DeviceStream& user) {
      needed.push_back(user.mark());
      user.record();
    });
    {
      const std::lock_guard lock(mutex_);
      unfreed_.push_back({pointer, std::move(needed)});
    }
    free_what_may_be();
  }
  void free_what_may_be() {
    std::vector<void*> freed;
    {
      const std::lock_guard lock(mutex_);
      if (held_ > 0 || loops_.load() > 0) {
        return;
      }
      std::erase_if(unfreed_, [&](const Unfreed& each) {
        const bool over = std::ranges::all_of(each.needed, is_over);
        if (over) {
          freed.push_back(each.pointer);
        }
        return over;
      });
    }
    for (void* const pointer : freed) {
      blocks_.give_back(pointer);
    }
  }

  // Work
  /// As CUDA does: memory that may be paged out is read before the call returns, or written.
  void copy(void* to, const void* from, std::size_t bytes, DeviceStream& stream) override {
    std::shared_ptr<std::byte[]> staged;
    if (!blocks_.have(from)) {
      staged = std::make_shared<std::byte[]>(bytes);
      std::memcpy(staged.get(), from, bytes);
      from = staged.get();
    }
    stream_of(stream).push([to, from, bytes, held = staged] {
      if (!has_failed()) {
        std::memcpy(to, from, bytes);
      }
    });
    if (!blocks_.have(to)) {
      const DeviceWork copied = stream.mark();
      stream.record();
      stream.wait_on_host(copied.number);
    }
  }
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t bytes, std::size_t rows, DeviceStream& stream) override {
    for (std::size_t row = 0; row < rows; ++row) {
      copy(static_cast<std::byte*>(to) + row * to_pitch,
           static_cast<const std::byte*>(from) + row * from_pitch, bytes, stream);
    }
  }
  void clear(void* memory, std::size_t bytes, DeviceStream& stream) override {
    stream_of(stream).push([=] {
      if (!has_failed()) {
        std::memset(memory, 0, bytes);
      }
    });
  }
  std::unique_ptr<DeviceGraph> make_graph(const DeviceGraphOptions& options) override {
    require_device();
    return std::make_unique<FakeGraph>(options);
  }
  std::unique_ptr<DeviceLoop> make_loop(const DeviceLoopOptions& options) override {
    require_device();
    return std::make_unique<FakeLoop>(options);
  }
  [[nodiscard]] bool has_running_loops() const noexcept override { return loops_.load() > 0; }
  [[nodiscard]] bool has_running_loops_on(int /*device*/) const noexcept override {
    return has_running_loops();
  }
  void run(std::function<void()> loop) {
    loops_.fetch_add(1);
    std::thread([this, work = std::move(loop)] {
      work();
      loops_.fetch_sub(1);
    }).detach();
  }

  // Waiting
  void watch(const DeviceWork& work, const Component& component,
             std::chrono::milliseconds timeout) override {
    const auto end = timeout.count() > 0 ? std::chrono::steady_clock::now() + timeout
                                         : std::chrono::steady_clock::time_point::max();
    const std::lock_guard lock(watch_mutex_);
    watches_.push_back({work, &component, end});
  }
  void stop_watching(const Component& component) noexcept override {
    const std::lock_guard lock(watch_mutex_);
    std::erase_if(watches_, [&](const Watch& each) { return each.component == &component; });
  }
  [[nodiscard]] std::vector<UnfinishedWork> unfinished(UnfinishedWork::Scope /*scope*/) override {
    require_device();
    std::vector<UnfinishedWork> found;
    const std::lock_guard lock(mutex_);
    for (const auto& stream : streams_) {
      if (!stream->is_idle()) {
        const DeviceWork work = stream->mark();
        if (!stream->is_done(work.number)) {
          found.push_back({.work = {stream.get(), stream->known_done() + 1}});
        }
      }
    }
    return found;
  }
  [[nodiscard]] std::string users() const override { return {}; }
  void hold_frees() noexcept override {
    const std::lock_guard lock(mutex_);
    ++held_;
  }
  void let_frees_go() noexcept override {
    {
      const std::lock_guard lock(mutex_);
      --held_;
    }
    free_what_may_be();
  }
  void give_up(const UnfinishedWork& work, const std::string& why) override {
    const std::lock_guard lock(mutex_);
    given_up_.emplace_back(work.work, why);
  }
  [[nodiscard]] bool is_given_up(int /*device*/) noexcept override {
    return !why_given_up().empty();
  }
  [[nodiscard]] std::string why_given_up() noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(given_up_, [](const auto& each) { return each.first && is_over(each.first); });
    return given_up_.empty() ? std::string() : given_up_.front().second;
  }
  /// Nothing runs any more.
  void settle() {
    while (true) {
      {
        const std::lock_guard lock(mutex_);
        const bool idle = std::ranges::all_of(
            streams_, &FakeStream::is_idle, [](const auto& each) -> FakeStream& { return *each; });
        if (idle && loops_.load() == 0) {
          given_up_.clear();
          break;
        }
      }
      std::this_thread::sleep_for(100us);
    }
    free_what_may_be();
  }

  // The rest
  [[nodiscard]] int device_count() const noexcept override { return devices.load(); }
  [[nodiscard]] std::string device_name(int /*device*/) const override { return "fake"; }
  [[nodiscard]] DeviceMemoryInfo memory_info(int /*device*/) const override {
    return {std::size_t{1} << 30, std::size_t{1} << 30};
  }
  void use_device(int device) override {
    if (device != 0) {
      throw Error(ErrorCode::OutOfRange, "there is one fake device, 0");
    }
  }
  std::vector<std::unique_ptr<DevicePartition>> split_device(int, const std::vector<unsigned>& sms,
                                                             unsigned,
                                                             unsigned work_queues) override {
    if (work_queues > 0) {
      throw Error(ErrorCode::NotSupported, "the fake device has no work queues");
    }
    std::vector<std::unique_ptr<DevicePartition>> partitions;
    for (const unsigned count : sms) {
      partitions.push_back(std::make_unique<FakePartition>(count));
    }
    return partitions;
  }
  [[noreturn]] void fail(const char* call, int error) override {
    throw Error(ErrorCode::Device, std::string(call) + ": " + std::to_string(error));
  }
  void check() override { require_device(); }
  [[nodiscard]] DeviceObjects objects() const override { return {streams_.size(), 0, 0}; }
  [[nodiscard]] DeviceFacts describe(int device) const override {
    DeviceFacts facts;
    facts.name = device_name(device);
    facts.capability_major = 9;
    facts.memory_bytes = std::size_t{1} << 30U;
    facts.sms = 1;
    facts.instance_mode = InstanceMode::None;
    return facts;
  }
  [[nodiscard]] std::size_t nearest(void* memory, std::size_t bytes, int,
                                    const DevicePartition*) override {
    std::memset(memory, 0, bytes + kRoomForNearest);
    return 0;
  }
  [[nodiscard]] GraphMemory graph_memory(int) const override { return {}; }
  void trim_graph_memory(int) override {}
  [[nodiscard]] bool loads_kernels_late() const override { return false; }
  [[nodiscard]] std::unique_ptr<DeviceSpans> make_spans() override {
    return std::make_unique<FakeSpans>();
  }
  [[nodiscard]] SharedDeviceMemory share_memory(void*) override { throw_not_here("shared memory"); }
  [[nodiscard]] void* open_shared_memory(const SharedDeviceMemory&) override {
    throw_not_here("shared memory");
  }
  void close_shared_memory(void*, std::function<void()> closed) noexcept override { closed(); }
  void push_range(const char*) noexcept override {}
  void pop_range() noexcept override {}
  void forbid_legacy_stream() override {}
  void allow_legacy_stream() noexcept override {}
  [[nodiscard]] bool checks_captures() override { return false; }

 private:
  struct Unfreed {
    void* pointer;
    std::vector<DeviceWork> needed;
  };
  struct Watch {
    DeviceWork work;
    const Component* component;
    std::chrono::steady_clock::time_point end;
  };

  void watch_all() {
    while (true) {
      {
        const std::lock_guard lock(watch_mutex_);
        const auto now = std::chrono::steady_clock::now();
        std::erase_if(watches_, [&](const Watch& each) {
          const bool is_due = now >= each.end || has_failed() || ask(each.work);
          if (is_due) {
            each.component->context().notify(*each.component);
          }
          return is_due;
        });
      }
      std::this_thread::sleep_for(200us);
    }
  }
  static bool ask(const DeviceWork& work) {
    try {
      return work.stream->is_done(work.number);
    } catch (const Error&) {
      return true;
    }
  }

  mutable std::mutex mutex_;  // guards what follows
  FakeStream default_stream_{StreamOptions{}};
  std::vector<std::unique_ptr<FakeStream>> streams_;
  std::set<DeviceStream*> free_;
  std::vector<Unfreed> unfreed_;
  std::vector<std::pair<DeviceWork, std::string>> given_up_;
  int held_ = 0;
  Blocks blocks_;
  std::atomic<int> loops_{0};
  std::mutex watch_mutex_;
  std::vector<Watch> watches_;
  std::thread watcher_;  // for ever
};

/// Never destroyed, as that of CUDA.
Engine& engine() {
  static Engine& one = *new Engine;
  return one;
}

class Pool final : public DeviceMemoryPool {
 public:
  void* allocate(std::size_t size, DeviceStream* /*stream*/) override {
    return engine().take(size);
  }
  void free(void* pointer, const DeviceUsers& users) override {
    engine().free_later(pointer, users);
  }
  [[nodiscard]] std::size_t reserved() const override { return 0; }
};

std::unique_ptr<DeviceMemoryPool> Engine::make_memory_pool(
    const DeviceMemoryPoolOptions& /*options*/) {
  return std::make_unique<Pool>();
}

}  // namespace

FakeStream& stream_of(DeviceStream& stream) { return static_cast<FakeStream&>(stream); }
void run_loop(std::function<void()> loop) { engine().run(std::move(loop)); }
void loop_is_gone() { engine().free_what_may_be(); }

void require_not_given_up() {
  if (const std::string why = engine().why_given_up(); !why.empty()) {
    throw Error(ErrorCode::Device, why);
  }
}

void replace_device() {
  engine().settle();
  set_failed(false);
}
void set_seed(std::uint64_t seed) {
  set_pauses(seed);
  set_order(seed);
}
void settle() { engine().settle(); }
std::size_t blocks_in_use() { return engine().blocks_in_use(); }
void set_largest_block(std::size_t bytes) { largest_block.store(bytes); }

void set_devices(int count) { devices.store(count); }

}  // namespace gxr::fake

#ifdef __clang__
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"  // called by C++ alone
#endif
extern "C" {
const char* gxr_device_interface() { return gxr::kDeviceInterface; }
gxr::DeviceEngine& gxr_device_runtime() { return gxr::fake::engine(); }
}
