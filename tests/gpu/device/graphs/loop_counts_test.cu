// Counts of loops where 32 bits end: they have 64.

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "extensions/cuda/runtime/runtime.hpp"
#include "launched.hpp"

namespace gxr::test {
namespace {

using cuda::RuntimeLoop;

constexpr unsigned kThreads = 256;

/// Adds to every element what the iterations before have counted.
__global__ void add_number(const std::uint64_t* in, std::uint64_t* out, std::size_t count,
                           const std::uint64_t* number) {
  for (std::size_t i = threadIdx.x; i < count; i += kThreads) {
    out[i] = in[i] + *number;
  }
}

}  // namespace

TEST_CASE("Counts of a loop go on beyond 32 bits", "[loop_counts]") {
  constexpr std::uint64_t kFirst = (std::uint64_t{1} << 32) - 7;
  constexpr std::uint64_t kIterations = 20;
  // Through slots in page-locked memory, and through those in device memory.
  for (const std::size_t count : {std::size_t{100}, std::size_t{100'000}}) {
    for (const std::uint32_t unroll : {1U, 4U}) {
      CAPTURE(count, unroll);
      const DeviceArray<std::uint64_t> in(count);
      const DeviceArray<std::uint64_t> out(count);
      const std::size_t bytes = count * sizeof(std::uint64_t);
      DeviceLoopOptions options;
      options.loop = GraphLoop::ControlAtEnd;
      options.unroll = unroll;
      options.slots = 3;
      options.inputs = {{in.get(), bytes}};
      options.outputs = {{out.get(), bytes}};
      RuntimeLoop loop(options);
      DeviceNode piece;
      piece.inputs = {0};
      piece.outputs = {0};
      loop.add(
          [&](cudaStream_t stream) {
            add_number<<<1, kThreads, 0, stream>>>(in.get(), out.get(), count, loop.iteration());
          },
          piece);
      loop.instantiate();
      DeviceStream& stream = cuda::runtime().acquire_stream({});
      const auto finish = [&] { stream.wait_on_host(stream.mark().number); };
      loop.launch_from(kFirst, kFirst + kIterations);
      std::vector<std::uint64_t> data(count);
      std::uint64_t put = 0;
      for (std::uint64_t taken = 0; taken < kIterations; ++taken) {
        for (; put < kIterations && put < taken + options.slots; ++put) {
          data.assign(count, 1000 * put);
          loop.ports().put(0, data.data(), true, stream);
          finish();
        }
        REQUIRE(soon([&] { return loop.control().finished() > kFirst + taken; }));
        loop.ports().take(0, data.data(), true, stream);
        finish();
        CHECK(data == std::vector<std::uint64_t>(count, 1000 * taken + kFirst + taken));
      }
      REQUIRE(soon([&] { return !loop.is_running(); }));
      CHECK(loop.report().iterations == kFirst + kIterations);
      cuda::runtime().release_stream(stream);
    }
  }
}

}  // namespace gxr::test
