// Loops on the GPU by themselves, without an application around them.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device/device_engine.hpp"
#include "device/device_loop.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/error.hpp"
#include "kernels.cuh"
#include "soak.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;

constexpr std::uint64_t kEndless = ~std::uint64_t{0};
constexpr unsigned kThreads = 256;

__global__ void add_one(const std::int32_t* in, std::int32_t* out, std::size_t count,
                        std::uint64_t* runs) {
  const std::size_t first = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  for (std::size_t i = first; i < count; i += gridDim.x * std::size_t{kThreads}) {
    out[i] = in[i] + 1;
  }
  if (first == 0) {
    ++*runs;
  }
}

/// Adds the iteration's number to a sum.
__global__ void add_number(const std::uint64_t* number, std::uint64_t* sum, std::uint64_t* runs) {
  *sum += *number;
  ++*runs;
}

/// Writes how many iterations are done at the end of this one.
__global__ void fill_with_done(const std::uint64_t* number, std::uint64_t* words) {
  words[blockIdx.x * kThreads + threadIdx.x] = *number + 1;
}

__global__ void add_both(const std::int32_t* one, const std::int32_t* two, std::int32_t* out,
                         std::size_t count) {
  const std::size_t first = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  for (std::size_t i = first; i < count; i += gridDim.x * std::size_t{kThreads}) {
    out[i] = one[i] + two[i];
  }
}

/// Rings `times` at the first poll.
__global__ void ring(std::uint64_t* polls, Doorbell bell, std::uint64_t times) {
  if (++*polls == 1) {
    *bell.rung += times;
  }
}

/// Writes one number of a row at each poll, and then the last.
__global__ void ring_as(std::uint64_t* polls, Doorbell bell, const std::uint64_t* numbers,
                        std::uint64_t count) {
  *bell.rung = numbers[min(*polls, count - 1)];
  ++*polls;
}

/// Does it become true within ten seconds?
bool soon(const std::function<bool()>& is_true) {
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
  }
  return true;
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    cuda::check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    clear();
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] T first() const {
    T value{};
    cuda::check(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return value;
  }
  void clear() const {
    cuda::check(cudaMemset(data_, 0, count_ * sizeof(T)), "cudaMemset");
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

struct LoopShape {
  GraphLoop loop;
  std::uint32_t unroll;
  bool has_stages = false;  ///< it is several graphs, since it has a branch with a long list
};
const LoopShape kShapes[] = {{GraphLoop::HeadTail, 1},
                             {GraphLoop::ControlAtEnd, 1},
                             {GraphLoop::ControlAtEnd, 4},
                             {GraphLoop::TailLaunch, 1},
                             {GraphLoop::ControlAtEnd, 1, true}};

/// Two operators one behind the other, each of which adds 1, with an input and an output.
class Adder {
 public:
  Adder(const LoopShape& shape, std::size_t count, std::uint32_t slots)
      : count_(count), slots_(slots), in_(count), middle_(count), out_(count), runs_(1) {
    DeviceLoopOptions options;
    options.loop = shape.loop;
    options.unroll = shape.unroll;
    options.may_launch_itself = shape.has_stages;
    options.slots = slots;
    options.inputs = {{in_.get(), count * sizeof(std::int32_t)}};
    options.outputs = {{out_.get(), count * sizeof(std::int32_t)}};
    loop_ = DeviceEngine::get().make_loop(options);
    DeviceNode first;
    first.inputs = {0};
    DeviceNode second;
    second.after = {0};
    second.outputs = {0};
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((count + 255) / 256, 64));
    loop_->add(
        [&](cudaStream_t stream) {
          add_one<<<blocks, kThreads, 0, stream>>>(in_.get(), middle_.get(), count, runs_.get());
        },
        first);
    if (shape.has_stages) {
      second.after = {gxr::test::add_long_branch(*loop_, {0})};
    }
    loop_->add(
        [&](cudaStream_t stream) {
          add_one<<<blocks, kThreads, 0, stream>>>(middle_.get(), out_.get(), count, runs_.get());
        },
        second);
    loop_->instantiate();
  }
  [[nodiscard]] DeviceLoop& loop() const { return *loop_; }
  [[nodiscard]] DeviceStream& stream() const { return stream_.get(); }
  void destroy_loop() { loop_.reset(); }  // and leave its memory, which CUDA would wait to free
  /// Iterations that really ran.
  [[nodiscard]] std::uint64_t runs() const { return runs_.first() / 2; }

  [[nodiscard]] bool has_room() const { return put_ - loop_->control().finished() < slots_; }
  [[nodiscard]] bool has_result() const { return loop_->control().finished() > taken_; }
  void launch() {
    put_ = 0;
    taken_ = 0;
    loop_->launch(kEndless);
  }

  void put(std::int32_t value) {
    ++put_;
    const std::vector<std::int32_t> data(count_, value);
    loop_->ports().put(0, data.data(), true, stream_.get());
    stream_.finish();
  }
  /// The value that all elements of the next result have; -1 when they differ.
  std::int32_t take() {
    ++taken_;
    std::vector<std::int32_t> data(count_);
    loop_->ports().take(0, data.data(), true, stream_.get());
    stream_.finish();
    for (const std::int32_t each : data) {
      if (each != data.front()) {
        return -1;
      }
    }
    return data.front();
  }
  bool end(std::uint64_t limit) {
    loop_->control().set_limit(limit);
    return soon([&] { return !loop_->is_running(); });
  }
  /// The first elements of what the operators read and write, also while the loop runs.
  std::string tensors() {
    std::int32_t first[3] = {};
    for (int i = 0; const auto* each : {&in_, &middle_, &out_}) {
      DeviceRuntime::get().copy(&first[i++], each->get(), sizeof first[0], stream_.get());
    }
    stream_.finish();
    return "in " + std::to_string(first[0]) + ", middle " + std::to_string(first[1]) + ", out " +
           std::to_string(first[2]);
  }

 private:
  std::size_t count_;
  std::uint32_t slots_;
  std::uint64_t put_ = 0;
  std::uint64_t taken_ = 0;
  DeviceArray<std::int32_t> in_;
  DeviceArray<std::int32_t> middle_;
  DeviceArray<std::int32_t> out_;
  DeviceArray<std::uint64_t> runs_;
  LeasedStream stream_;
  std::unique_ptr<DeviceLoop> loop_;
};

/// Is a loop that nobody has ended said to run? If not, whether it still answers tells the
/// runtime's mistake from a loop that ended by itself.
bool still_runs(Adder& adder) {
  if (adder.loop().is_running()) {
    return true;
  }
  const std::uint64_t finished = adder.loop().control().finished();
  adder.put(1);
  const bool answers = soon([&] { return adder.has_result(); });
  UNSCOPED_INFO("is_running() was false after iteration "
                << finished << ", and the loop " << (answers ? "still answers" : "has ended")
                << "; is_running() is " << adder.loop().is_running() << " now");
  return false;
}

/// Puts as fast as there is room, takes as fast as there are results; all come, in order.
void pass(Adder& adder, std::int32_t count) {
  std::int32_t put = 0;
  std::int32_t taken = 0;
  while (taken < count) {
    REQUIRE(soon([&] { return (put < count && adder.has_room()) || adder.has_result(); }));
    if (put < count && adder.has_room()) {
      adder.put(10 * put++);
    }
    if (adder.has_result()) {
      REQUIRE(adder.take() == 10 * taken++ + 2);
      REQUIRE(still_runs(adder));
    }
  }
}

}  // namespace

TEST_CASE("A loop gives a result for each input, in order", "[loop]") {
  for (const LoopShape& shape : kShapes) {
    for (const std::size_t count : {std::size_t{512}, std::size_t{7001}, std::size_t{1} << 20}) {
      for (const std::uint32_t slots : {1U, 2U, 5U}) {
        INFO("shape " << static_cast<int>(shape.loop) << ", unroll " << shape.unroll << ", stages "
                      << shape.has_stages << ", " << count << " elements, " << slots << " slots");
        Adder adder(shape, count, slots);
        adder.launch();
        const std::int32_t inputs = count > 10000 ? 50 : 500;
        pass(adder, inputs);
        const auto all = static_cast<std::uint64_t>(inputs);
        REQUIRE(adder.end(all));
        CHECK(adder.loop().report().iterations == all);
        // A head that waits when the loop is to end lets its kernels run once more.
        const std::uint64_t more = shape.loop == GraphLoop::HeadTail ? 1 : 0;
        CHECK(adder.runs() == all + more);
      }
    }
  }
}

TEST_CASE("Small tensors in device memory pass behind their stream's work, for which nobody waits",
          "[loop]") {
  constexpr std::size_t kCount = 512;
  const DeviceArray<std::int32_t> in(kCount);  // zeros
  const DeviceArray<std::int32_t> out(kCount);
  const std::vector<std::int32_t> nine(kCount, 9);
  for (const LoopShape& shape : kShapes) {
    INFO("shape " << static_cast<int>(shape.loop) << ", unroll " << shape.unroll);
    out.clear();
    Adder adder(shape, kCount, 4);
    DeviceLoop& loop = adder.loop();
    adder.launch();
    CHECK(loop.ports().put(0, nine.data(), true, adder.stream()));
    std::atomic<bool> open = false;
    cuda::check(cudaLaunchHostFunc(
                    adder.stream().handle(),
                    [](void* gate) { static_cast<std::atomic<bool>*>(gate)->wait(false); }, &open),
                "cudaLaunchHostFunc");
    CHECK_FALSE(loop.ports().put(0, in.get(), false, adder.stream()));
    // The processor can read this one, but it is no earlier than the one in front of it.
    CHECK(loop.ports().put(0, nine.data(), true, adder.stream()));
    CHECK(soon([&] { return loop.control().finished() == 1; }));
    std::this_thread::sleep_for(20ms);
    CHECK(loop.control().finished() == 1);
    open = true;
    open.notify_all();
    CHECK(soon([&] { return loop.control().finished() == 3; }));
    CHECK(adder.take() == 11);
    CHECK(loop.ports().take(0, out.get(), false, adder.stream()));
    CHECK(adder.take() == 11);
    REQUIRE(adder.end(3));
    CHECK(out.first() == 2);
  }
}

TEST_CASE("A loop without inputs ends at its limit", "[loop]") {
  for (const LoopShape& shape :
       {LoopShape{GraphLoop::HeadTail, 1}, LoopShape{GraphLoop::ControlAtEnd, 1},
        LoopShape{GraphLoop::ControlAtEnd, 8}, LoopShape{GraphLoop::TailLaunch, 1}}) {
    INFO("shape " << static_cast<int>(shape.loop) << ", unroll " << shape.unroll);
    const DeviceArray<std::uint64_t> sum(1);
    const DeviceArray<std::uint64_t> runs(1);
    DeviceLoopOptions options;
    options.loop = shape.loop;
    options.unroll = shape.unroll;
    const auto loop = DeviceEngine::get().make_loop(options);
    loop->add(
        [&](cudaStream_t stream) {
          add_number<<<1, 1, 0, stream>>>(loop->iteration(), sum.get(), runs.get());
        },
        {});
    loop->instantiate();
    for (const std::uint64_t limit : {1003ULL, 1ULL, 8ULL, 0ULL, 17ULL}) {
      INFO(limit << " iterations");
      sum.clear();
      runs.clear();
      loop->launch(limit);
      REQUIRE(soon([&] { return !loop->is_running(); }));
      CHECK(loop->report().iterations == limit);
      CHECK(loop->control().finished() == limit);
      const bool head = shape.loop == GraphLoop::HeadTail;
      if (!(head && limit == 0)) {
        CHECK(runs.first() == limit);
        CHECK(sum.first() == (limit == 0 ? 0 : limit * (limit - 1) / 2));
      }
    }
  }
}

TEST_CASE("What iterations write to the host's memory is there when they are said to be done",
          "[loop]") {
  constexpr std::uint64_t kIterations = 3000;
  constexpr std::size_t kWords = 4096;
  for (const LoopShape& shape :
       {LoopShape{GraphLoop::HeadTail, 1}, LoopShape{GraphLoop::ControlAtEnd, 1},
        LoopShape{GraphLoop::ControlAtEnd, 4}, LoopShape{GraphLoop::TailLaunch, 1}}) {
    INFO("shape " << static_cast<int>(shape.loop) << ", unroll " << shape.unroll);
    auto& runtime = DeviceEngine::get();
    auto* const words = static_cast<std::uint64_t*>(
        runtime.allocate(kWords * sizeof(std::uint64_t), MemoryStorageType::Host, 0, {}));
    REQUIRE(words != nullptr);
    std::memset(words, 0, kWords * sizeof(std::uint64_t));
    DeviceLoopOptions options;
    options.loop = shape.loop;
    options.unroll = shape.unroll;
    options.sync_with_host = true;
    const auto loop = runtime.make_loop(options);
    loop->add(
        [&](cudaStream_t stream) {
          fill_with_done<<<kWords / kThreads, kThreads, 0, stream>>>(loop->iteration(), words);
        },
        {});
    loop->instantiate();
    loop->launch(kIterations);
    std::size_t late = 0;
    REQUIRE(soon([&] {
      const std::uint64_t done = loop->control().finished();
      for (std::size_t i = 0; i < kWords; i += 61) {
        late += reinterpret_cast<volatile std::uint64_t*>(words)[i] < done ? 1 : 0;
      }
      return done == kIterations;
    }));
    CHECK(late == 0);
    REQUIRE(soon([&] { return !loop->is_running(); }));
    runtime.free(words, MemoryStorageType::Host);
  }
}

TEST_CASE("A loop is launched again and again", "[loop]") {
  for (const LoopShape& shape : kShapes) {
    Adder adder(shape, 600, 2);
    for (int run = 0; run < 20; ++run) {
      INFO("run " << run);
      adder.launch();
      CHECK(adder.loop().is_running());
      pass(adder, 20);
      REQUIRE(adder.end(20));
      CHECK(adder.loop().report().iterations == 20);
    }
  }
}

TEST_CASE("A loop whose results nobody takes waits, and can be ended", "[loop]") {
  for (const LoopShape& shape : kShapes) {
    Adder adder(shape, 300, 3);
    adder.launch();
    for (int i = 0; i < 6; ++i) {
      REQUIRE(soon([&] { return adder.has_room(); }));
      adder.put(i);
    }
    REQUIRE(soon([&] { return adder.loop().control().finished() == 3; }));
    std::this_thread::sleep_for(20ms);
    CHECK(adder.loop().control().finished() == 3);
    CHECK_FALSE(adder.has_room());
    CHECK(adder.take() == 2);
    REQUIRE(soon([&] { return adder.loop().control().finished() == 4; }));
    REQUIRE(adder.end(0));
    CHECK(adder.loop().report().iterations == 4);
  }
}

TEST_CASE("A loop that waits, or sleeps, ends when it is told", "[loop]") {
  for (const LoopShape& shape : kShapes) {
    for (const auto wait : {0ms, 1ms, 30ms}) {
      Adder adder(shape, 300, 2);
      adder.launch();
      std::this_thread::sleep_for(wait);
      CHECK(adder.loop().is_running());
      adder.put(5);
      REQUIRE(soon([&] { return adder.has_result(); }));
      CHECK(adder.take() == 7);
      std::this_thread::sleep_for(wait);
      REQUIRE(adder.end(1));
      CHECK(adder.loop().control().finished() == 1);
    }
  }
}

TEST_CASE("Inputs that wait when a loop is to end are worked on, or left", "[loop]") {
  for (const LoopShape& shape : kShapes) {
    Adder adder(shape, 300, 8);
    adder.loop().launch(0);
    REQUIRE(soon([&] { return !adder.loop().is_running(); }));
    CHECK(adder.loop().control().finished() == 0);
    adder.launch();
    for (int i = 0; i < 8; ++i) {
      adder.put(i);
    }
    REQUIRE(adder.end(8));
    CHECK(adder.loop().control().finished() == 8);
    for (int i = 0; i < 8; ++i) {
      CHECK(adder.take() == i + 2);
    }
  }
}

TEST_CASE("A loop that begins with any input shows the last of the others", "[loop]") {
  for (const GraphLoop shape : {GraphLoop::HeadTail, GraphLoop::ControlAtEnd}) {
    for (const std::size_t count : {std::size_t{512}, std::size_t{1} << 16}) {
      INFO("shape " << static_cast<int>(shape) << ", " << count << " elements");
      const DeviceArray<std::int32_t> one(count);
      const DeviceArray<std::int32_t> two(count);
      const DeviceArray<std::int32_t> out(count);
      DeviceLoopOptions options;
      options.loop = shape;
      options.slots = 3;
      options.ready = GraphReady::Any;
      options.inputs = {{one.get(), count * sizeof(std::int32_t)},
                        {two.get(), count * sizeof(std::int32_t)}};
      options.outputs = {{out.get(), count * sizeof(std::int32_t)}};
      const auto loop = DeviceEngine::get().make_loop(options);
      DeviceNode piece;
      piece.inputs = {0, 1};
      piece.outputs = {0};
      loop->add(
          [&](cudaStream_t stream) {
            add_both<<<8, kThreads, 0, stream>>>(one.get(), two.get(), out.get(), count);
          },
          piece);
      loop->instantiate();
      LeasedStream stream;
      const auto put = [&](std::size_t input, std::int32_t value) {
        const std::vector<std::int32_t> data(count, value);
        loop->ports().put(input, data.data(), true, stream.get());
        stream.finish();
      };
      const auto take = [&] {
        std::vector<std::int32_t> data(count);
        loop->ports().take(0, data.data(), true, stream.get());
        stream.finish();
        return data.front() == data.back() ? data.front() : -1;
      };
      for (int run = 0; run < 2; ++run) {
        loop->launch(kEndless);
        for (const std::int32_t value : {1, 2, 3, 4}) {
          put(1, value);
          REQUIRE(soon(
              [&] { return loop->control().finished() == static_cast<std::uint64_t>(value); }));
          CHECK(take() == value);  // of the other, nothing has come
        }
        put(0, 100);
        REQUIRE(soon([&] { return loop->control().finished() == 5; }));
        CHECK(take() == 104);
        CHECK(loop->control().taken(0, 4) == 0);
        CHECK(loop->control().taken(0, 5) == 1);
        CHECK(loop->control().taken(1, 5) == 4);
        CHECK(loop->is_new(0) != nullptr);
        // What is there when it is to end is worked on.
        put(0, 200);
        put(1, 5);
        put(1, 6);
        loop->control().drain();
        loop->control().drain();  // says nothing new
        REQUIRE(soon([&] { return !loop->is_running(); }));
        CHECK(loop->control().taken(0, loop->control().finished()) == 2);
        CHECK(loop->control().taken(1, loop->control().finished()) == 6);
      }
    }
  }
}

TEST_CASE("A loop with doorbells runs the nodes that poll, and an iteration for each ring",
          "[loop]") {
  const DeviceArray<std::uint64_t> polls(1);
  const DeviceArray<std::uint64_t> sum(1);
  const DeviceArray<std::uint64_t> runs(1);
  const DeviceArray<std::int32_t> out(300);
  DeviceLoopOptions options;
  options.doorbells = 1;
  options.slots = 2;
  options.outputs = {{out.get(), 300 * sizeof(std::int32_t)}};
  const auto loop = DeviceEngine::get().make_loop(options);
  const Doorbell bell = loop->doorbell(0);
  CHECK(loop->is_new(0) == nullptr);
  DeviceNode polling;
  polling.polls = true;
  loop->add([&](cudaStream_t stream) { ring<<<1, 1, 0, stream>>>(polls.get(), bell, 5); }, polling);
  DeviceNode work;
  work.after = {0};
  work.outputs = {0};
  loop->add(
      [&](cudaStream_t stream) {
        add_number<<<1, 1, 0, stream>>>(loop->iteration(), sum.get(), runs.get());
      },
      work);
  loop->instantiate();
  LeasedStream stream;
  for (int run = 0; run < 3; ++run) {
    polls.clear();
    sum.clear();
    runs.clear();
    loop->launch(kEndless);
    // Five rings at the first poll, and room for two results.
    REQUIRE(soon([&] { return loop->control().finished() == 2; }));
    std::this_thread::sleep_for(5ms);
    CHECK(loop->control().finished() == 2);
    // It polls on, and says so.
    const std::uint64_t beat = loop->control().heartbeat();
    CHECK(soon([&] { return loop->control().heartbeat() != beat; }));
    if (run == 0) {
      loop->control().set_limit(0);
    } else {
      loop->ports().drop_results();
      loop->control().drain();
    }
    REQUIRE(soon([&] { return !loop->is_running(); }));
    const std::uint64_t done = run == 0 ? 2 : 5;
    CHECK(loop->control().finished() == done);
    CHECK(runs.first() == done);
    CHECK(sum.first() == done * (done - 1) / 2);
    CHECK(polls.first() > 5);
    CHECK(loop->report().iterations == done);
  }
}

TEST_CASE("A doorbell's number counts, not how often it is written", "[loop]") {
  // The same again, a jump, and back.
  const std::vector<std::uint64_t> numbers{1, 1, 1, 4, 4, 2};
  const DeviceArray<std::uint64_t> list(numbers.size());
  cuda::check(cudaMemcpy(list.get(), numbers.data(), numbers.size() * sizeof numbers[0],
                         cudaMemcpyHostToDevice),
              "cudaMemcpy");
  const DeviceArray<std::uint64_t> polls(1);
  const DeviceArray<std::uint64_t> sum(1);
  const DeviceArray<std::uint64_t> runs(1);
  DeviceLoopOptions options;
  options.doorbells = 1;
  const auto loop = DeviceEngine::get().make_loop(options);
  DeviceNode polling;
  polling.polls = true;
  loop->add(
      [&](cudaStream_t stream) {
        ring_as<<<1, 1, 0, stream>>>(polls.get(), loop->doorbell(0), list.get(), numbers.size());
      },
      polling);
  DeviceNode work;
  work.after = {0};
  loop->add(
      [&](cudaStream_t stream) {
        add_number<<<1, 1, 0, stream>>>(loop->iteration(), sum.get(), runs.get());
      },
      work);
  loop->instantiate();
  loop->launch(kEndless);
  std::this_thread::sleep_for(20ms);
  loop->control().set_limit(0);
  REQUIRE(soon([&] { return !loop->is_running(); }));
  CHECK(polls.first() > numbers.size() + 4);
  CHECK(loop->report().iterations == 4);
  CHECK(runs.first() == 4);
  CHECK(sum.first() == 6);
}

TEST_CASE("A loop with two doorbells begins with both, or with any", "[loop]") {
  for (const GraphReady ready : {GraphReady::All, GraphReady::Any}) {
    INFO("ready " << static_cast<int>(ready));
    const DeviceArray<std::uint64_t> polls(2);
    const DeviceArray<std::uint64_t> sum(1);
    const DeviceArray<std::uint64_t> runs(1);
    DeviceLoopOptions options;
    options.doorbells = 2;
    options.ready = ready;
    const auto loop = DeviceEngine::get().make_loop(options);
    CHECK((loop->is_new(1) == nullptr) == (ready == GraphReady::All));
    const std::uint64_t times[] = {3, 5};
    for (std::size_t i = 0; i < 2; ++i) {
      DeviceNode polling;
      polling.polls = true;
      loop->add(
          [&](cudaStream_t stream) {
            ring<<<1, 1, 0, stream>>>(polls.get() + i, loop->doorbell(i), times[i]);
          },
          polling);
    }
    DeviceNode work;
    work.after = {0, 1};
    loop->add(
        [&](cudaStream_t stream) {
          add_number<<<1, 1, 0, stream>>>(loop->iteration(), sum.get(), runs.get());
        },
        work);
    loop->instantiate();
    for (const std::uint64_t limit : {kEndless, std::uint64_t{2}}) {
      polls.clear();
      sum.clear();
      runs.clear();
      loop->launch(limit);
      const std::uint64_t done = std::min<std::uint64_t>(limit, ready == GraphReady::All ? 3 : 5);
      REQUIRE(soon([&] { return loop->control().finished() == done; }));
      std::this_thread::sleep_for(5ms);
      CHECK(loop->control().finished() == done);
      loop->control().drain();
      REQUIRE(soon([&] { return !loop->is_running(); }));
      CHECK(runs.first() == done);
      CHECK(loop->control().taken(0, done) == std::min<std::uint64_t>(done, 3));
      CHECK(loop->control().taken(1, done) == done);
    }
  }
}

TEST_CASE("Memory is given back to CUDA only when no loop runs", "[loop]") {
  Adder adder(kShapes[1], 300, 2);
  adder.launch();
  DeviceEngine& runtime = DeviceEngine::get();
  for (const MemoryStorageType storage : {MemoryStorageType::Device, MemoryStorageType::Host}) {
    void* const memory = runtime.allocate(1 << 20, storage, 0, {});
    REQUIRE(memory != nullptr);
    runtime.free(memory, storage);  // would not return
  }
  CHECK(adder.loop().is_running());
  REQUIRE(adder.end(0));
}

namespace {

/// A loop runs while a graph and another loop are made, run and destroyed.
void destroy_beside_a_loop() {
  const DeviceArray<std::uint64_t> words(3);
  const auto work = [at = words.get()](cudaStream_t stream) {
    add_number<<<1, 1, 0, stream>>>(at, at + 1, at + 2);
  };
  std::weak_ptr<const int> of_graph;
  std::unique_ptr<DeviceGraph> graph = DeviceEngine::get().make_graph({});
  graph->add(
      [&](cudaStream_t stream) {
        const auto kept = std::make_shared<const int>(0);
        of_graph = kept;
        graph->keep(kept);
        work(stream);
      },
      {});
  graph->instantiate();
  LeasedStream stream;
  graph->launch(stream.get().handle());
  stream.finish();
  Adder other(kShapes[0], 300, 2);
  other.launch();
  REQUIRE(other.end(0));

  Adder adder(kShapes[1], 300, 2);
  adder.launch();
  graph->launch(stream.get().handle());
  stream.finish();
  graph.reset();
  other.destroy_loop();
  // What waited for the end of the loop would stand in the way of its control.
  CHECK_FALSE(adder.has_result());
  adder.put(1);
  REQUIRE(soon([&] { return adder.has_result(); }));
  const std::int32_t result = adder.take();
  INFO(adder.tensors());
  CHECK(result == 3);
  CHECK(soon([&] { return of_graph.expired(); }));
  CHECK(still_runs(adder));
  REQUIRE(adder.end(0));
}

}  // namespace

TEST_CASE("Graphs and other loops are destroyed while a loop runs", "[loop]") {
  destroy_beside_a_loop();
}

// Each was seen once, beside other processes on the GPU, and only here: is_running() was false
// behind the first result; the first result was 2, as if the input had been 0.
TEST_CASE("Graphs and other loops are destroyed while a loop runs, for GXR_SOAK_SECONDS",
          "[.soak]") {
  const auto end = std::chrono::steady_clock::now() + gxr::test::soak_time();
  for (int round = 0; std::chrono::steady_clock::now() < end; ++round) {
    INFO("round " << round);
    destroy_beside_a_loop();
  }
}

TEST_CASE("A loop that nobody has ended is said to run at every question", "[loop]") {
  for (const LoopShape& shape : kShapes) {
    INFO("shape " << static_cast<int>(shape.loop) << ", unroll " << shape.unroll << ", stages "
                  << shape.has_stages);
    Adder adder(shape, 300, 2);
    adder.launch();
    bool always_runs = true;
    for (int i = 0; i < 1000; ++i) {
      adder.put(i);
      const bool has_come = soon([&] {
        always_runs = adder.loop().is_running() && always_runs;
        return adder.has_result();
      });
      REQUIRE(has_come);
      REQUIRE(adder.take() == i + 2);
    }
    CHECK(always_runs);
    REQUIRE(adder.end(0));
  }
}

TEST_CASE("Loops are told what they cannot do", "[loop]") {
  const auto loop = DeviceEngine::get().make_loop({});
  CHECK_THROWS_AS(loop->launch(1), Error);
  CHECK_THROWS_AS(loop->add([](cudaStream_t) {}, {}), Error);
  const auto call_host = [](cudaStream_t stream) {
    cuda::check(cudaLaunchHostFunc(
                    stream, [](void*) {}, nullptr),
                "cudaLaunchHostFunc");
  };
  CHECK_THROWS_WITH(loop->add(call_host, {}),
                    Catch::Matchers::ContainsSubstring("calls a function of the host"));
  Adder adder(kShapes[1], 300, 2);
  adder.launch();
  CHECK_THROWS_AS(adder.launch(), Error);
  REQUIRE(adder.end(0));
}
