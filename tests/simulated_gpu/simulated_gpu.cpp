// A library in the place of libgxr_cuda.so: a GPU whose memory is that of the host, whose copies
// are done at once, and whose loops are threads. It has what resident loops need, but no branches,
// no measures and no doorbells.

#include "tests/simulated_gpu/simulated_gpu.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/device_engine.hpp"
#include "device/device_interface.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorCode::NotSupported, std::string("the simulated GPU has no ") + what);
}

class SimulatedStream final : public DeviceStream {
 public:
  SimulatedStream() : DeviceStream(&handle_, 0, true) {}
  void record() override {}
  void wait_for(const DeviceWork& /*work*/) override {}
  bool is_done(std::uint64_t number) override {
    set_done(std::min(number, given()));
    return true;
  }
  void wait_on_host(std::uint64_t number) override { static_cast<void>(is_done(number)); }

 private:
  CUstream_st handle_;
};

class SimulatedPool final : public DeviceMemoryPool {
 public:
  void* allocate(std::size_t size, DeviceStream* /*stream*/) override {
    return std::aligned_alloc(256, (size + 255) / 256 * 256);
  }
  void free(void* pointer, const DeviceUsers& /*users*/) override { std::free(pointer); }
  [[nodiscard]] std::size_t reserved() const override { return 0; }
};

std::atomic<int> running_loops{0};

/// The threads of all loops. A loop that hangs is left alone by its region, so that nobody else
/// joins its thread.
class LoopThreads {
 public:
  ~LoopThreads() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) {
        thread.join();
      }
    }
  }
  template <class Work>
  std::thread& start(const Work& work) {
    const std::lock_guard lock(mutex_);
    return threads_.emplace_back(work);
  }

 private:
  std::mutex mutex_;  // guards threads_
  std::list<std::thread> threads_;
};

LoopThreads loop_threads;

/// The "GPU" is its thread. All that both sides know is guarded by one mutex.
class SimulatedLoop final : public DeviceLoop {
 public:
  explicit SimulatedLoop(const DeviceLoopOptions& options) : options_(options) {}
  ~SimulatedLoop() override { join(); }

  std::size_t add(const std::function<void(CUstream_st*)>& work,
                  const DeviceLoopPiece& /*piece*/) override {
    pieces_.emplace_back();
    replace(pieces_.size() - 1, work);
    return pieces_.size() - 1;
  }
  std::size_t add_copy(void* to, const void* from, std::size_t bytes,
                       const DevicePiece& /*piece*/) override {
    pieces_.emplace_back();
    replace_by_copy(pieces_.size() - 1, to, from, bytes);
    return pieces_.size() - 1;
  }
  std::size_t add_branch(const DeviceBranch& /*branch*/, const std::vector<std::size_t>& /*after*/,
                         const DeviceList& /*list*/) override {
    refuse("branches");
  }
  [[nodiscard]] const std::uint64_t* iteration() const noexcept override { return &iteration_; }
  [[nodiscard]] const std::uint64_t* iteration_in(std::size_t /*branch*/) const noexcept override {
    return &iteration_;
  }
  [[nodiscard]] Doorbell doorbell(std::size_t /*number*/) const noexcept override { return {}; }
  [[nodiscard]] const std::uint64_t* is_new(std::size_t /*drive*/) const noexcept override {
    return nullptr;
  }
  void instantiate() override {}
  void replace(std::size_t piece, const std::function<void(CUstream_st*)>& work) override {
    CUstream_st stream;
    work(&stream);
    pieces_[piece] = std::move(stream.calls);
  }
  void replace_by_copy(std::size_t piece, void* to, const void* from, std::size_t bytes) override {
    pieces_[piece] = {[=] {
      if (bytes > 0) {
        std::memcpy(to, from, bytes);
      }
    }};
  }
  void write_dot(const std::string& /*file*/) const override { refuse("pictures"); }

  void launch(std::uint64_t limit) override {
    join();
    inputs_.assign(options_.inputs.size(), {});
    taken_.assign(1, std::vector<std::uint64_t>(options_.inputs.size()));
    finished_ = 0;
    begin(limit);
  }
  void launch_from(std::uint64_t done, std::uint64_t limit) override {
    join();
    if (done != finished_) {
      throw Error(ErrorCode::InvalidArgument, "so many are not done");
    }
    begin(limit);
  }
  void set_limit(std::uint64_t limit) override {
    change([&] { limit_ = std::min(limit_, limit); });
  }
  void drain() override {
    change([&] { drains_ = true; });
  }
  void set_sleep_interval(std::chrono::nanoseconds /*interval*/) override {}
  void set_parameters(const std::vector<std::byte>& bytes) override {
    change([&] { parameters_ = bytes; });
  }
  bool is_running() override {
    const std::lock_guard lock(mutex_);
    if (failed_) {
      throw Error(ErrorCode::Device, "the simulated GPU has failed");
    }
    return runs_;
  }
  [[nodiscard]] bool waits_for_siblings() const noexcept override { return false; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t finished() const noexcept override { return finished_; }
  [[nodiscard]] std::uint64_t heartbeat() const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t taken(std::size_t drive,
                                    std::uint64_t iterations) const noexcept override {
    const std::lock_guard lock(mutex_);
    return taken_[iterations][drive];
  }
  DeviceLoopReport report() override { return {finished_, 0, 0, 0}; }
  [[nodiscard]] std::vector<MeasuredIteration> measured() const override { return {}; }

  bool put(std::size_t input, const void* data, bool /*readable*/,
           DeviceStream& /*stream*/) override {
    const auto* const bytes = static_cast<const std::byte*>(data);
    change([&] {
      if (inputs_[input].size() >= options_.slots && data != nullptr) {
        std::abort();  // more than the caller may put
      }
      inputs_[input].emplace_back(bytes, bytes + options_.inputs[input].bytes);
    });
    return true;
  }
  DeviceWork take(std::size_t output, void* to, bool /*writable*/,
                  DeviceStream& /*stream*/) override {
    change([&] {
      auto& results = results_.at(output);
      if (results.empty()) {
        std::abort();  // there is none
      }
      std::memcpy(to, results.front().data(), results.front().size());
      results.pop_front();
    });
    return {};
  }
  void drop_results() override {
    change([&] { drops_ = true; });
  }

 private:
  template <class Change>
  void change(const Change& make) {
    {
      const std::lock_guard lock(mutex_);
      make();
    }
    changed_.notify_all();
  }

  void begin(std::uint64_t limit) {
    results_.assign(options_.outputs.size(), {});
    limit_ = limit;
    drains_ = false;
    drops_ = false;
    runs_ = true;
    ++running_loops;
    thread_ = &loop_threads.start([this] { run(); });
  }

  void join() {
    if (thread_ != nullptr && thread_->joinable()) {
      thread_->join();
    }
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_over() || may_begin(); });
      if (is_over()) {
        break;
      }
      take_inputs();
      lock.unlock();
      bool works = true;
      try {
        for (const auto& piece : pieces_) {
          for (const auto& call : piece) {
            call();
          }
        }
      } catch (...) {
        works = false;
      }
      lock.lock();
      if (!works) {
        failed_ = true;
        break;
      }
      give_results();
      finished_.store(iteration_ + 1);
    }
    runs_ = false;
    --running_loops;
  }

  [[nodiscard]] bool is_over() const {
    const bool has_inputs =
        std::ranges::any_of(inputs_, [](const auto& each) { return !each.empty(); });
    return finished_ >= limit_ || (drains_ && !has_inputs);
  }
  [[nodiscard]] bool may_begin() const {
    const auto with =
        std::ranges::count_if(inputs_, [](const auto& each) { return !each.empty(); });
    const bool has_input = options_.ready == GraphReady::Any ? with > 0 || inputs_.empty()
                                                             : with == std::ssize(inputs_);
    const bool has_room = drops_ || std::ranges::all_of(results_, [this](const auto& each) {
                            return each.size() < options_.slots;
                          });
    return has_input && has_room;
  }

  void take_inputs() {
    iteration_ = finished_;
    taken_.push_back(taken_.back());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i].empty()) {
        const std::vector<std::byte> data = std::move(inputs_[i].front());
        inputs_[i].pop_front();
        std::ranges::copy(data, static_cast<std::byte*>(options_.inputs[i].tensor));
        ++taken_.back()[i];
      }
    }
    if (parameters_) {
      const std::byte* from = parameters_->data();
      for (const DeviceRange& range : options_.parameters) {
        std::memcpy(range.begin, from, range.bytes);
        from += range.bytes;
      }
      parameters_.reset();
    }
  }

  void give_results() {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (drops_) {
        continue;
      }
      const auto* const from = static_cast<const std::byte*>(options_.outputs[i].tensor);
      results_[i].emplace_back(from, from + options_.outputs[i].bytes);
    }
  }

  const DeviceLoopOptions options_;
  std::vector<std::vector<std::function<void()>>> pieces_;
  std::uint64_t iteration_ = 0;
  std::atomic<std::uint64_t> finished_{0};
  std::thread* thread_ = nullptr;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::deque<std::vector<std::byte>>> inputs_;
  std::vector<std::deque<std::vector<std::byte>>> results_;
  std::deque<std::vector<std::uint64_t>> taken_;  // by finished iterations and input
  std::optional<std::vector<std::byte>> parameters_;
  std::uint64_t limit_ = 0;
  bool drains_ = false;
  bool drops_ = false;
  bool runs_ = false;
  bool failed_ = false;
};

class SimulatedGpu final : public DeviceEngine {
 public:
  // DeviceRuntime
  [[nodiscard]] int device_count() const noexcept override { return 1; }
  [[nodiscard]] std::string device_name(int /*device*/) const override { return "simulated"; }
  [[nodiscard]] DeviceMemoryInfo memory_info(int /*device*/) const override { return {}; }
  void use_device(int /*device*/) override {}
  DeviceStream& acquire_stream(const StreamOptions& /*options*/) override {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      return streams_.emplace_back();
    }
    DeviceStream& stream = *free_.back();
    free_.pop_back();
    return stream;
  }
  void release_stream(DeviceStream& stream) noexcept override {
    const std::lock_guard lock(mutex_);
    free_.push_back(&stream);
  }
  [[nodiscard]] DeviceStream* find_stream(CUstream_st* /*handle*/) const noexcept override {
    return nullptr;
  }
  std::vector<std::unique_ptr<DevicePartition>> split_device(int /*device*/,
                                                             const std::vector<unsigned>& /*sms*/,
                                                             unsigned /*min_sm_size*/) override {
    refuse("partitions");
  }
  void* allocate(std::size_t size, MemoryStorageType /*storage*/, int /*device*/,
                 const HostMemoryOptions& /*host*/) override {
    return std::malloc(size);
  }
  void free(void* pointer, MemoryStorageType /*storage*/) noexcept override { std::free(pointer); }
  std::unique_ptr<DeviceMemoryPool> make_memory_pool(
      const DeviceMemoryPoolOptions& /*options*/) override {
    return std::make_unique<SimulatedPool>();
  }
  void* allocate_pinned(std::size_t size) override { return std::malloc(size); }
  void free_pinned(void* pointer, const DeviceUsers& /*users*/) override { std::free(pointer); }
  [[nodiscard]] int device_of(const void* /*pointer*/) const override { return 0; }
  void copy(void* to, const void* from, std::size_t bytes, DeviceStream& /*stream*/) override {
    std::memcpy(to, from, bytes);
  }
  void copy_rows(void* /*to*/, std::size_t /*to_pitch*/, const void* /*from*/,
                 std::size_t /*from_pitch*/, std::size_t /*bytes*/, std::size_t /*rows*/,
                 DeviceStream& /*stream*/) override {
    refuse("copies of rows");
  }
  void clear(void* memory, std::size_t bytes, DeviceStream& /*stream*/) override {
    std::memset(memory, 0, bytes);
  }
  void watch(const DeviceWork& /*work*/, const Component& /*component*/,
             std::chrono::milliseconds /*timeout*/) override {
    refuse("work to watch");
  }
  void stop_watching(const Component& /*component*/) noexcept override {}
  [[noreturn]] void fail(const char* call, int /*error*/) override { refuse(call); }
  void check() override {}

  // DeviceEngine
  [[nodiscard]] DeviceObjects objects() const override { return {}; }
  void forget_user(const std::string* /*who*/) noexcept override {}
  [[nodiscard]] std::size_t nearest(void* /*memory*/, std::size_t /*bytes*/, int /*device*/,
                                    const DevicePartition* /*partition*/) override {
    return 0;
  }
  std::unique_ptr<DeviceGraph> make_graph(const DeviceGraphOptions& /*options*/) override {
    refuse("graphs that the host launches");
  }
  std::unique_ptr<DeviceLoop> make_loop(const DeviceLoopOptions& options) override {
    return std::make_unique<SimulatedLoop>(options);
  }
  [[nodiscard]] GraphMemory graph_memory(int /*device*/) const override { return {}; }
  void trim_graph_memory(int /*device*/) override {}
  [[nodiscard]] bool has_running_loops() const noexcept override { return running_loops > 0; }
  [[nodiscard]] bool loads_kernels_late() const override { return false; }
  [[nodiscard]] SharedDeviceMemory share_memory(void* /*pointer*/) override {
    refuse("shared memory");
  }
  [[nodiscard]] void* open_shared_memory(const SharedDeviceMemory& /*memory*/) override {
    refuse("shared memory");
  }
  void close_shared_memory(void* /*pointer*/, std::function<void()> /*closed*/) noexcept override {}
  [[nodiscard]] std::size_t bytes_behind(const void* /*pointer*/) const override { return 0; }
  void push_range(const char* /*name*/) noexcept override {}
  void pop_range() noexcept override {}
  void forbid_legacy_stream() override {}
  void allow_legacy_stream() noexcept override {}
  [[nodiscard]] bool checks_captures() override { return false; }
  [[nodiscard]] std::vector<UnfinishedWork> unfinished_work(
      UnfinishedWork::Scope /*scope*/) override {
    return {};
  }
  [[nodiscard]] std::string users_of_unfinished_work() const override { return {}; }
  void hold_frees() noexcept override {}
  void let_frees_go() noexcept override {}
  void give_up(const UnfinishedWork& /*work*/, const std::string& /*why*/) override {}
  [[nodiscard]] bool is_given_up(int /*device*/) noexcept override { return false; }

 private:
  std::mutex mutex_;  // guards what follows
  std::list<SimulatedStream> streams_;
  std::vector<DeviceStream*> free_;
};

}  // namespace
}  // namespace gxr

extern "C" {
[[gnu::visibility("default")]] const char* gxr_device_interface() { return gxr::kDeviceInterface; }
[[gnu::visibility("default")]] gxr::DeviceEngine& gxr_device_runtime() {
  static auto* const gpu = new gxr::SimulatedGpu();  // streams are never destroyed
  return *gpu;
}
}
