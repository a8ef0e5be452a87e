// Parameters that a loop's kernels read from memory, and that change while it runs.

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device/device_engine.hpp"
#include "device/device_loop.hpp"
#include "graphs/device_array.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/error.hpp"
#include "kernels.cuh"

namespace {

using namespace gxr;
using namespace std::chrono_literals;
using gxr::test::DeviceArray;

constexpr int kChanges = 100'000;
constexpr std::size_t kBytes = 1024;  // of the second block
constexpr std::uint64_t kEndless = ~std::uint64_t{0};

/// What the kernels see of the two blocks: a number, and as many copies of it as fit.
struct Seen {
  std::uint64_t first;  ///< written by one kernel
  std::uint64_t last;   ///< the greatest so far
  std::uint64_t torn;   ///< iterations whose numbers were not all the same
  std::uint64_t back;   ///< iterations with a smaller one than before
};

__global__ void read_first(const std::uint64_t* block, Seen* seen) { seen->first = *block; }

__global__ void read_all(const std::uint64_t* block, Seen* seen, std::uint64_t* result) {
  __shared__ int different;
  if (threadIdx.x == 0) {
    different = 0;
  }
  __syncthreads();
  if (block[threadIdx.x] != seen->first) {
    atomicAdd(&different, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    seen->torn += different != 0 ? 1 : 0;
    seen->back += seen->first < seen->last ? 1 : 0;
    seen->last = seen->first;
    *result = seen->first;
  }
}

struct LoopShape {
  GraphLoop loop;
  std::uint32_t unroll;
  std::uint32_t instrument_every;
  bool has_stages = false;  ///< it is several graphs, since it has a branch with a long list
};
const LoopShape kShapes[] = {{GraphLoop::HeadTail, 1, 0},          {GraphLoop::ControlAtEnd, 1, 0},
                             {GraphLoop::TailLaunch, 1, 0},        {GraphLoop::ControlAtEnd, 4, 0},
                             {GraphLoop::ControlAtEnd, 1, 3},      {GraphLoop::ControlAtEnd, 4, 3},
                             {GraphLoop::ControlAtEnd, 1, 0, true}};

/// Two pieces, each with a block of its own; with an input that is only counted, and a result, or
/// with neither.
class Reader {
 public:
  Reader(const LoopShape& shape, bool is_driven, GraphReady ready = GraphReady::All)
      : one_(2), many_(kBytes / sizeof(std::uint64_t)), seen_(1), result_(1) {
    DeviceLoopOptions options;
    options.loop = shape.loop;
    options.unroll = shape.unroll;
    options.instrument_every = shape.instrument_every;
    options.may_launch_itself = shape.has_stages;
    options.parameters = {{one_.get(), sizeof(std::uint64_t)}, many_.range()};
    options.ready = ready;
    if (is_driven) {
      options.inputs.emplace_back();
      options.outputs = {{result_.get(), sizeof(std::uint64_t)}};
    }
    loop_ = DeviceEngine::get().make_loop(options);
    DeviceNode first;
    DeviceNode second;
    second.after = {0};
    if (is_driven) {
      first.inputs = {0};
      second.outputs = {0};
    }
    loop_->add(
        [&](cudaStream_t stream) { read_first<<<1, 1, 0, stream>>>(one_.get(), seen_.get()); },
        first);
    if (shape.has_stages) {
      second.after = {gxr::test::add_long_branch(*loop_, {0})};
    }
    loop_->add(
        [&](cudaStream_t stream) {
          read_all<<<1, kBytes / sizeof(std::uint64_t), 0, stream>>>(many_.get(), seen_.get(),
                                                                     result_.get());
        },
        second);
    loop_->instantiate();
  }
  [[nodiscard]] DeviceLoop& loop() const { return *loop_; }
  [[nodiscard]] Seen seen() const { return seen_.read().front(); }

  void set(std::uint64_t number) const {
    const std::vector<std::uint64_t> numbers(1 + kBytes / sizeof number, number);
    std::vector<std::byte> bytes(numbers.size() * sizeof number);
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    loop_->control().set_parameters(bytes);
  }
  [[nodiscard]] bool ends(std::uint64_t limit) const {
    loop_->control().set_limit(limit);
    return waits([&] { return !loop_->is_running(); });
  }
  /// The result of one more input; ~0: there is none.
  std::uint64_t work() {
    loop_->ports().put(0, nullptr, true, stream_.get());
    const std::uint64_t count = ++count_;
    if (!waits([&] { return loop_->control().finished() >= count; })) {
      return kEndless;
    }
    std::uint64_t result = 0;
    loop_->ports().take(0, &result, true, stream_.get());
    stream_.finish();
    return result;
  }
  template <class IsTrue>
  static bool waits(const IsTrue& is_true) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!is_true()) {
      if (std::chrono::steady_clock::now() > end) {
        return false;
      }
    }
    return true;
  }

 private:
  DeviceArray<std::uint64_t> one_;
  DeviceArray<std::uint64_t> many_;
  DeviceArray<Seen> seen_;
  DeviceArray<std::uint64_t> result_;
  LeasedStream stream_;
  std::uint64_t count_ = 0;
  std::unique_ptr<DeviceLoop> loop_;
};

}  // namespace

TEST_CASE("An iteration never sees some of the parameters that were set together", "[parameters]") {
  for (const LoopShape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.loop), shape.unroll, shape.instrument_every);
    Reader reader(shape, false);
    reader.loop().launch(kEndless);
    for (std::uint64_t i = 1; i <= kChanges; ++i) {
      reader.set(i);
    }
    const std::uint64_t done = reader.loop().control().finished();
    // The one that runs may have begun before, and have looked for parameters of the next.
    REQUIRE(Reader::waits([&] { return reader.loop().control().finished() > done + 3; }));
    REQUIRE(reader.ends(0));
    const Seen seen = reader.seen();
    CHECK(seen.torn == 0);
    CHECK(seen.back == 0);
    CHECK(seen.last == kChanges);
  }
}

TEST_CASE("An input that comes when parameters were set is worked on with them", "[parameters]") {
  for (const LoopShape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.loop), shape.unroll, shape.instrument_every);
    Reader reader(shape, true);
    reader.loop().launch(kEndless);
    int wrong = 0;
    for (std::uint64_t i = 1; i <= kChanges; ++i) {
      reader.set(i);
      wrong += reader.work() == i ? 0 : 1;
      if (i % 7 == 0) {
        wrong += reader.work() == i ? 0 : 1;  // the same again
      }
    }
    CHECK(wrong == 0);
    REQUIRE(reader.ends(0));
    CHECK(reader.seen().torn == 0);
  }
}

TEST_CASE("A loop that any input begins has parameters that change", "[parameters]") {
  Reader reader({GraphLoop::ControlAtEnd, 1, 0}, true, GraphReady::Any);
  reader.loop().launch(kEndless);
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    reader.set(i);
    REQUIRE(reader.work() == i);
  }
  REQUIRE(reader.ends(0));
  CHECK(reader.seen().torn == 0);
}

TEST_CASE("Parameters that were set twice before an input are the later ones", "[parameters]") {
  for (const LoopShape& shape : kShapes) {
    Reader reader(shape, true);
    reader.loop().launch(kEndless);
    for (std::uint64_t i = 1; i <= 1000; ++i) {
      reader.set(1'000'000 + i);
      reader.set(i);
      REQUIRE(reader.work() == i);
    }
    REQUIRE(reader.ends(0));
  }
}

TEST_CASE("A loop that is launched again has the parameters that lie there", "[parameters]") {
  for (const LoopShape& shape : kShapes) {
    Reader reader(shape, false);
    reader.loop().launch(kEndless);
    reader.set(5);
    REQUIRE(Reader::waits([&] { return reader.loop().control().finished() > 10; }));
    REQUIRE(reader.ends(0));
    reader.loop().launch(20);
    REQUIRE(Reader::waits([&] { return !reader.loop().is_running(); }));
    CHECK(reader.seen().last == 5);
    reader.loop().launch(kEndless);
    reader.set(6);
    REQUIRE(Reader::waits([&] { return reader.loop().control().finished() > 10; }));
    REQUIRE(reader.ends(0));
    CHECK(reader.seen().last == 6);
  }
}
