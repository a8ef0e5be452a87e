#include <algorithm>

#include "arguments.hpp"
#include "element.hpp"
#include "histogram_bins.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

constexpr int kCountingWarps = 32;

/// Every bin has this many counters per block, side by side in shared memory; a thread uses the one
/// of its number in the warp. With 32 no two threads of a warp meet in a bank.
template <int Channels>
constexpr int kReplicas = Channels == 4 ? 16 : 32;

/// This thread's counters: those of a bin lie kEach * 4 bytes behind those of the bin before. So a
/// counter's offset is the bin shifted, and bits beside it for the thread and the channel.
template <class T, int Channels>
class BinCounters {
 public:
  __device__ explicit BinCounters(std::uint32_t* counters)
      : counters_(reinterpret_cast<unsigned char*>(counters)), own_(threadIdx.x % kEach * 4) {}

  __device__ void count(T value, int channel) {
    count_at((bin_of(value) << kBinBit) | offset_of(channel));
  }

  /// `first` is the channel of the first element.
  __device__ void count(const Run<T, 1>& run, int first) {
    std::uint32_t offsets[Channels];
#pragma unroll
    for (int i = 0; i < Channels; ++i) {
      offsets[i] = offset_of(first + i < Channels ? first + i : first + i - Channels);
    }
#pragma unroll
    for (int i = 0; i < run.kCount; ++i) {
      count_at(shifted_bin(run, i) | offsets[i % Channels]);
    }
  }

 private:
  static constexpr std::uint32_t kEach = kReplicas<Channels>;
  static constexpr int kBinBit = kEach == 32 ? 7 : 6;
  static constexpr int kChannelBit = kBinBit + 8;

  __device__ std::uint32_t offset_of(int channel) const {
    return (static_cast<std::uint32_t>(channel) << kChannelBit) | own_;
  }

  __device__ void count_at(std::uint32_t offset) {
    atomicAdd(reinterpret_cast<std::uint32_t*>(counters_ + offset), 1U);
  }

  /// The bin of element i, an integer's upper byte, from kBinBit on.
  __device__ static std::uint32_t shifted_bin(const Run<T, 1>& run, int i) {
    if constexpr (std::is_same_v<T, float>) {
      return bin_of(run.get(i)) << kBinBit;
    } else {
      const std::uint32_t word = run.words[i / run.kPerWord];
      const int bit = (i % run.kPerWord + 1) * run.kBits - 8;
      const std::uint32_t shifted =
          bit < kBinBit ? word << (kBinBit - bit) : word >> (bit - kBinBit);
      return shifted & (0xffU << kBinBit);
    }
  }

  unsigned char* counters_;
  std::uint32_t own_;
};

/// Chunks of 16 bytes in flight per thread.
constexpr int kCountedChunks = 4;

/// Elements are counted where they lie; nothing needs to be staged.
template <class T, int Channels>
__device__ void count_tile(const Rows<const T>& rows, std::int64_t y, std::int64_t tile,
                           BinCounters<T, Channels>& counters) {
  const TilePart<const T, kCountedChunks> part(rows, y, tile);
  const int lane = static_cast<int>(threadIdx.x);
  const int phase = static_cast<int>(tile * part.kTile % Channels);
  const int whole = rows.vectors ? part.count / part.kPerChunk : 0;
  Run<T, 1> runs[kCountedChunks];
#pragma unroll
  for (int j = 0; j < kCountedChunks; ++j) {
    const int chunk = lane + kWarpSize * j;
    if (chunk < whole) {
      set_chunk(runs[j], 0, reinterpret_cast<const uint4*>(part.begin)[chunk]);
    }
  }
#pragma unroll
  for (int j = 0; j < kCountedChunks; ++j) {
    const int chunk = lane + kWarpSize * j;
    if (chunk < whole) {
      counters.count(runs[j], (phase + chunk * part.kPerChunk) % Channels);
    }
  }
  for (int i = whole * part.kPerChunk + lane; i < part.count; i += kWarpSize) {
    counters.count(part.begin[i], (phase + i) % Channels);
  }
}

/// Adds this block's counters to `counts`. Threads begin at different replicas, so that they meet
/// different banks.
template <int Channels>
__device__ void add_counters(const std::uint32_t* counters, int thread, int threads,
                             std::uint32_t* counts) {
  constexpr int each = kReplicas<Channels>;
  for (int bin = thread; bin < Channels * 256; bin += threads) {
    std::uint32_t sum = 0;
#pragma unroll 8
    for (int i = 0; i < each; ++i) {
      sum += counters[bin * each + (i + thread) % each];
    }
    if (sum != 0) {
      atomicAdd(counts + bin, sum);
    }
  }
}

template <class T, int Channels>
__global__ void __launch_bounds__(kWarpSize* kCountingWarps, 1)
    histogram_kernel(Rows<const T> rows, Tiling tiling, std::uint32_t* counts) {
  extern __shared__ uint4 shared[];
  auto* counters = reinterpret_cast<std::uint32_t*>(shared);
  constexpr int threads = kWarpSize * kCountingWarps;
  const int thread = static_cast<int>(threadIdx.y * kWarpSize + threadIdx.x);
  for (int i = thread; i < Channels * 256 * kReplicas<Channels> / 4; i += threads) {
    reinterpret_cast<uint4*>(counters)[i] = make_uint4(0, 0, 0, 0);
  }
  __syncthreads();
  BinCounters<T, Channels> mine(counters);
  const std::int64_t warp = std::int64_t{blockIdx.x} * kCountingWarps + threadIdx.y;
  for_each_tile_of(
      tiling, warp, std::int64_t{gridDim.x} * kCountingWarps,
      [&](std::int64_t y, std::int64_t tile) { count_tile<T, Channels>(rows, y, tile, mine); });
  __syncthreads();
  add_counters<Channels>(counters, thread, threads, counts);
}

template <class T, int Channels>
void count_channels(ImageView<const T> image, std::uint32_t* counts, Stream stream) {
  constexpr const char* function = "compute_histogram";
  constexpr std::size_t bytes = std::size_t{Channels} * 256 * kReplicas<Channels> * 4;
  const Tiling tiling = tiling_of(image.row_elements(), image.height,
                                  kCountedChunks * 16 / static_cast<int>(sizeof(T)));
  const std::int64_t wanted = (tiling.per_row * tiling.rows + kCountingWarps - 1) / kCountingWarps;
  const std::int64_t fitting = multiprocessor_count(function);  // registers leave room for one each
  const LaunchShape shape{dim3(static_cast<unsigned>(std::min(wanted, fitting))),
                          dim3(kWarpSize, kCountingWarps), bytes};
  require_success(
      cudaFuncSetAttribute(histogram_kernel<T, Channels>,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
      function);
  require_success(cudaMemsetAsync(counts, 0, std::size_t{Channels} * 256 * 4, stream), function);
  launch(function, shape, stream, histogram_kernel<T, Channels>, rows_of(image), tiling, counts);
}

template <class T>
void count_image(ImageView<const T> image, std::uint32_t* counts, Stream stream) {
  require_countable(image, counts);
  require_stream(stream);
  constexpr void (*by_channels[])(ImageView<const T>, std::uint32_t*, Stream) = {
      count_channels<T, 1>, count_channels<T, 2>, count_channels<T, 3>, count_channels<T, 4>};
  const std::int64_t channels = image.channels;
  by_channels[channels - 1](has_no_gaps(image) ? as_one_row(image) : image, counts, stream);
}

}  // namespace

void compute_histogram(ImageView<const std::uint8_t> image, std::uint32_t* counts, Stream stream) {
  count_image(image, counts, stream);
}

void compute_histogram(ImageView<const std::uint16_t> image, std::uint32_t* counts, Stream stream) {
  count_image(image, counts, stream);
}

void compute_histogram(ImageView<const float> image, std::uint32_t* counts, Stream stream) {
  count_image(image, counts, stream);
}

}  // namespace gxr::kernels
