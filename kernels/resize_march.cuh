#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>

#include "output_tile.cuh"
#include "resize_sum.hpp"
#include "resize_taps.hpp"
#include "source_rows.cuh"

/// Resizing where the output's pixels are made of few of the input's: a warp takes a tile of
/// columns and goes down a strip of rows. Every thread has columns of its own, whose places in the
/// input it works out once. Where input rows are close to each other they go through shared memory
/// (SourceRows); else, and where they are not aligned, threads read what they need.

namespace gxr::kernels {

/// Rows of a strip at most: each thread of the warp works out where one of them lies.
constexpr int kStripRows = kWarpSize;

/// Pixels of an output row that one thread makes: about 24 bytes.
template <class T, int Channels>
constexpr int kMarchPixels = sizeof(T) * Channels < 4    ? 8
                             : sizeof(T) * Channels <= 8 ? 4
                                                         : 2;

template <class T, int Channels>
struct MarchTile {
  static constexpr int kEach = kMarchPixels<T, Channels>;
  static constexpr int kPixels = kEach * kWarpSize;
  static constexpr int kPixelBytes = Channels * static_cast<int>(sizeof(T));
  static constexpr int kBytes = kPixels * kPixelBytes;
};

struct Axis {
  std::int64_t in_length;
  std::int64_t out_length;
  double step;
};

inline Axis axis_of(std::int64_t in_length, std::int64_t out_length) {
  return {in_length, out_length, step_between(in_length, out_length)};
}

/// How a picture is shared out.
struct March {
  Axis columns;
  Axis rows;
  int strip_rows;  ///< 1 to kStripRows
  int slot_bytes;  ///< of SourceRows; 0 where it is not used
};

/// Where an output column or row lies. One tap: the nearest pixel; two: its own and the next.
template <int Taps>
struct Tap {
  std::int32_t first;
};

template <>
struct Tap<2> {
  std::int32_t first;
  float second;  ///< weight of first + 1
};

template <int Taps>
__device__ Tap<Taps> tap_of(const Axis& axis, std::int64_t i) {
  if constexpr (Taps == 1) {
    return {static_cast<std::int32_t>(nearest_index(i, axis.in_length, axis.out_length))};
  } else {
    const BilinearTap tap = bilinear_tap(i, axis.in_length, axis.step);
    return {tap.first, tap.second};
  }
}

/// The taps of all of a tile's columns, in shared memory; those beyond the picture are its last.
template <int Taps, int Pixels>
__device__ void write_column_taps(const Axis& axis, std::int64_t first, Tap<Taps>* taps) {
  const int threads = static_cast<int>(blockDim.x * blockDim.y);
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  for (int i = thread; i < Pixels; i += threads) {
    const std::int64_t x = first + i;
    taps[i] = tap_of<Taps>(axis, x < axis.out_length ? x : axis.out_length - 1);
  }
  __syncthreads();
}

/// The rows of a strip; each thread of the warp knows one.
template <int Taps>
struct StripRows {
  std::int64_t begin;
  int count;
  Tap<Taps> mine;

  __device__ StripRows(const Axis& axis, std::int64_t strip, int strip_rows)
      : begin(strip * strip_rows) {
    const std::int64_t left = axis.out_length - begin;
    count = static_cast<int>(left < strip_rows ? left : strip_rows);
    const int own =
        static_cast<int>(threadIdx.x) < count ? static_cast<int>(threadIdx.x) : count - 1;
    mine = tap_of<Taps>(axis, begin + own);
  }

  /// The first input row of output row begin + i; anything for i = kStripRows.
  __device__ std::int32_t first(int i) const { return __shfl_sync(0xffffffffU, mine.first, i); }
  __device__ float second(int i) const { return __shfl_sync(0xffffffffU, mine.second, i); }
};

/// Integers become floats by being looked at as such: an integer below 2^23 is a subnormal number
/// of its value times 2^-149. Weights make up for that: the columns' are larger by 2^126 and the
/// rows' by 2^23. Neither changes how anything is rounded.
template <class T>
constexpr float kColumnScale = std::is_same_v<T, float> ? 1.0F : 0x1p126F;
template <class T>
constexpr float kRowScale = std::is_same_v<T, float> ? 1.0F : 0x1p23F;

template <class T>
__device__ float subnormal(T element) {
  if constexpr (std::is_same_v<T, float>) {
    return element;
  } else {
    return __uint_as_float(std::uint32_t{element});
  }
}

/// The same of element i of a word.
template <class T>
__device__ float subnormal_of(std::uint32_t word, int i) {
  const std::uint32_t selector = sizeof(T) == 1 ? 0x4440U + static_cast<std::uint32_t>(i)
                                 : i == 0       ? 0x4410U
                                                : 0x4432U;
  return __uint_as_float(__byte_perm(word, 0, selector));
}

/// finish_sum() of a sum that is known to be below full scale + 1: adding 2^23 and cutting off
/// leaves the integer in the lowest bits.
template <class T>
__device__ T cut_off(float sum) {
  if constexpr (std::is_same_v<T, float>) {
    return sum;
  } else {
    return static_cast<T>(__float_as_uint(__fadd_rz(sum, 8388608.0F)));
  }
}

/// Two neighbouring pixels at any place in a slot, read as words.
template <class T, int Channels>
class PixelPair {
 public:
  static constexpr int kBytes = 2 * Channels * static_cast<int>(sizeof(T));
  static constexpr int kGrain = std::gcd(kBytes / 2, 4);  ///< places are multiples of it
  static constexpr int kAligned = (kBytes + 3) / 4;
  static constexpr int kWords = (4 - kGrain + kBytes + 3) / 4;

  /// `begin` is a multiple of 4, `selector` what __byte_perm needs to skip the bytes up to the
  /// pair.
  __device__ PixelPair(const unsigned char* slot, int begin, std::uint32_t selector) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(slot + begin);
    std::uint32_t words[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      words[i] = from[i];
    }
#pragma unroll
    for (int i = 0; i < kAligned; ++i) {
      if constexpr (kGrain == 4) {
        words_[i] = words[i];
      } else {
        words_[i] = __byte_perm(words[i], words[i + 1 < kWords ? i + 1 : i], selector);
      }
    }
  }

  /// Of the 2 * Channels elements, as subnormal().
  __device__ float get(int i) const {
    if constexpr (std::is_same_v<T, float>) {
      return __uint_as_float(words_[i]);
    } else {
      constexpr int per_word = 4 / static_cast<int>(sizeof(T));
      return subnormal_of<T>(words_[i / per_word], i % per_word);
    }
  }

 private:
  std::uint32_t words_[kAligned];
};

template <class T, int Channels>
using MarchOutput = OutputTile<T, MarchTile<T, Channels>::kPixels * Channels>;

/// Where element c of this thread's pixel j is staged.
template <int Channels>
__device__ int staged_element(int j, int c) {
  return (j * kWarpSize + static_cast<int>(threadIdx.x)) * Channels + c;
}

/// Bilinear: two rows, each mixed along the columns once, are mixed into all output rows between.
template <class T, int Channels, bool Staged>
class BilinearMarch {
 public:
  static constexpr int kTaps = 2;
  using Tile = MarchTile<T, Channels>;
  using Output = MarchOutput<T, Channels>;
  using Pair = PixelPair<T, Channels>;
  using MixedRow = float[Tile::kEach][Channels];

  __device__ BilinearMarch(const Tap<2>* taps, std::int64_t part_begin) {
#pragma unroll
    for (int j = 0; j < Tile::kEach; ++j) {
      const Tap<2> tap = taps[j * kWarpSize + static_cast<int>(threadIdx.x)];
      left_[j] = (1.0F - tap.second) * kColumnScale<T>;
      right_[j] = tap.second * kColumnScale<T>;
      if constexpr (Staged) {
        const int offset =
            static_cast<int>(tap.first * std::int64_t{Tile::kPixelBytes} - part_begin);
        place_[j] = offset / 4 * 4;
        selector_[j] = 0x3210U + 0x1111U * static_cast<std::uint32_t>(offset % 4);
      } else {
        place_[j] = tap.first;
      }
    }
  }

  __device__ void mix(const unsigned char* row, MixedRow& mixed) const {
#pragma unroll
    for (int j = 0; j < Tile::kEach; ++j) {
      if constexpr (Staged) {
        const Pair pair(row, place_[j], selector_[j]);
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
          mixed[j][c] = mix(pair.get(c), pair.get(Channels + c), j);
        }
      } else {
        const T* pair = reinterpret_cast<const T*>(row) + std::int64_t{place_[j]} * Channels;
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
          mixed[j][c] = mix(subnormal(pair[c]), subnormal(pair[Channels + c]), j);
        }
      }
    }
  }

  /// `second` is the lower row's weight.
  __device__ void stage(const Output& output, const MixedRow& upper, const MixedRow& lower,
                        float second) const {
    const float first_weight = (1.0F - second) * kRowScale<T>;
    const float second_weight = second * kRowScale<T>;
    const bool both = !std::is_same_v<T, float> || second != 0.0F;
#pragma unroll
    for (int j = 0; j < Tile::kEach; ++j) {
#pragma unroll
      for (int c = 0; c < Channels; ++c) {
        float sum = add_weighted(sum_start<T>(), first_weight, upper[j][c]);
        if (both) {
          sum = add_weighted(sum, second_weight, lower[j][c]);
        }
        output.staged(staged_element<Channels>(j, c)) = cut_off<T>(sum);
      }
    }
  }

 private:
  __device__ float mix(float left, float right, int j) const {
    return add_weighted(left_[j] * left, right_[j], right);
  }

  std::int32_t place_[Tile::kEach];  ///< staged: bytes, a multiple of 4; else pixels
  std::uint32_t selector_[Tile::kEach];
  float left_[Tile::kEach];
  float right_[Tile::kEach];
};

/// Goes down one strip.
template <class T, int Channels, bool Staged>
__device__ void march_strip(const Rows<const T>& in, MarchOutput<T, Channels>& output,
                            const BilinearMarch<T, Channels, Staged>& columns,
                            const StripRows<2>& rows, SourceRows<T>& source) {
  using Columns = BilinearMarch<T, Channels, Staged>;
  int i = 0;
  std::int32_t wanted = rows.first(0);  // upper row of output row i
  std::int32_t loaded = wanted - 1;
  std::int32_t fetching = wanted;
  const std::int32_t last = rows.first(rows.count - 1) + 1;
  const auto fetch = [&] {
    source.fetch(fetching <= last, fetching);
    ++fetching;
  };
  const auto load = [&](typename Columns::MixedRow& mixed) {
    if constexpr (Staged) {
      ++loaded;
      const unsigned char* row = source.take();
      fetch();
      columns.mix(row, mixed);
    } else {
      loaded = loaded + 1 < wanted ? wanted : loaded + 1;
      columns.mix(reinterpret_cast<const unsigned char*>(in.row(loaded)), mixed);
    }
  };
  const auto write = [&](const typename Columns::MixedRow& upper,
                         const typename Columns::MixedRow& lower) {
    while (i < rows.count && wanted + 1 == loaded) {
      columns.stage(output, upper, lower, rows.second(i));
      __syncwarp();
      output.flush(1);
      __syncwarp();
      ++i;
      wanted = rows.first(i);
    }
  };
  if constexpr (Staged) {
#pragma unroll
    for (int n = 0; n < SourceRows<T>::kSlots - 1; ++n) {
      fetch();
    }
  }
  typename Columns::MixedRow even;
  typename Columns::MixedRow odd;
  load(even);
  while (true) {
    load(odd);
    write(even, odd);
    if (i == rows.count) {
      return;
    }
    load(even);
    write(odd, even);
    if (i == rows.count) {
      return;
    }
  }
}

/// What a staged pixel is copied as: one word of its size, or its elements.
template <class T, int Bytes>
using PixelUnit = std::conditional_t<
    Bytes == 2, std::uint16_t,
    std::conditional_t<
        Bytes == 4, std::uint32_t,
        std::conditional_t<Bytes == 8, uint2, std::conditional_t<Bytes == 16, uint4, T>>>>;

/// Nearest: every input row that is needed is spread along the columns once.
template <class T, int Channels, bool Staged>
class NearestMarch {
 public:
  static constexpr int kTaps = 1;
  using Tile = MarchTile<T, Channels>;
  using Output = MarchOutput<T, Channels>;

  __device__ NearestMarch(const Tap<1>* taps, std::int64_t part_begin) {
#pragma unroll
    for (int j = 0; j < Tile::kEach; ++j) {
      const std::int64_t first = taps[j * kWarpSize + static_cast<int>(threadIdx.x)].first;
      place_[j] = static_cast<Place>(first * Tile::kPixelBytes - (Staged ? part_begin : 0));
    }
  }

  __device__ void stage(const Output& output, const unsigned char* row) const {
    using Unit = std::conditional_t<Staged, PixelUnit<T, Tile::kPixelBytes>, T>;
#pragma unroll
    for (int j = 0; j < Tile::kEach; ++j) {
      const auto* from = reinterpret_cast<const Unit*>(row + place_[j]);
      auto* to = reinterpret_cast<Unit*>(&output.staged(staged_element<Channels>(j, 0)));
#pragma unroll
      for (int n = 0; n < Tile::kPixelBytes / static_cast<int>(sizeof(Unit)); ++n) {
        to[n] = from[n];
      }
    }
  }

 private:
  using Place = std::conditional_t<Staged, std::int32_t, std::int64_t>;  ///< bytes
  Place place_[Tile::kEach];
};

template <class T, int Channels, bool Staged>
__device__ void march_strip(const Rows<const T>& in, MarchOutput<T, Channels>& output,
                            const NearestMarch<T, Channels, Staged>& columns,
                            const StripRows<1>& rows, SourceRows<T>& source) {
  constexpr unsigned all = 0xffffffffU;
  const int lane = static_cast<int>(threadIdx.x);
  const std::int32_t before = __shfl_up_sync(all, rows.mine.first, 1);
  const bool is_new = lane < rows.count && (lane == 0 || rows.mine.first != before);
  const unsigned starts = __ballot_sync(all, is_new);  // output rows with another input row
  unsigned unfetched = starts;
  const auto fetch = [&] {
    source.fetch(unfetched != 0, rows.first((__ffs(static_cast<int>(unfetched)) - 1) & 31));
    unfetched &= unfetched - 1;
  };
  if constexpr (Staged) {
#pragma unroll
    for (int n = 0; n < SourceRows<T>::kSlots - 1; ++n) {
      fetch();
    }
  }
  for (int i = 0; i < rows.count;) {
    if constexpr (Staged) {
      const unsigned char* row = source.take();
      fetch();
      columns.stage(output, row);
    } else {
      columns.stage(output, reinterpret_cast<const unsigned char*>(in.row(rows.first(i))));
    }
    __syncwarp();
    do {
      output.flush(1);
      ++i;
    } while (i < rows.count && (starts >> i & 1U) == 0);
    __syncwarp();
  }
}

/// Warps of a block lie below each other, so that they share the columns' taps.
template <template <class, int, bool> class Method, class T, int Channels, bool Staged>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, 2)
    march_kernel(Rows<const T> in, Rows<T> out, March march) {
  using Columns = Method<T, Channels, Staged>;
  using Tile = MarchTile<T, Channels>;
  using TapOfColumn = Tap<Columns::kTaps>;
  extern __shared__ uint4 shared[];
  auto* taps = reinterpret_cast<TapOfColumn*>(shared);
  const std::int64_t tile = blockIdx.x;
  write_column_taps<Columns::kTaps, Tile::kPixels>(march.columns, tile * Tile::kPixels, taps);
  const RowPart part{
      std::int64_t{taps[0].first} * Tile::kPixelBytes / 16 * 16,
      std::int64_t{taps[Tile::kPixels - 1].first + Columns::kTaps} * Tile::kPixelBytes};
  auto* memory = reinterpret_cast<unsigned char*>(taps + Tile::kPixels) +
                 warp_in_block() * (Tile::kBytes + SourceRows<T>::kSlots * march.slot_bytes);
  const Columns columns(taps, part.begin);
  MarchOutput<T, Channels> output(out, tile, memory);
  const std::int64_t strips = (march.rows.out_length + march.strip_rows - 1) / march.strip_rows;
  const std::int64_t step = std::int64_t{gridDim.y} * kWarpsPerBlock;
  for (std::int64_t strip = std::int64_t{blockIdx.y} * kWarpsPerBlock + threadIdx.y; strip < strips;
       strip += step) {
    const StripRows<Columns::kTaps> rows(march.rows, strip, march.strip_rows);
    SourceRows<T> source(in, part, memory + Tile::kBytes, march.slot_bytes);
    output.go_to(rows.begin);
    march_strip(in, output, columns, rows, source);
    __syncwarp();
  }
}

/// Bytes of a slot of SourceRows, 0 if rows are not aligned or do not fit.
template <class T, int Channels>
int slot_bytes_of(const Rows<const T>& in, const March& march, bool skips_rows) {
  constexpr double largest = 4096.0;
  using Tile = MarchTile<T, Channels>;
  const double pixels = std::floor((Tile::kPixels - 1) * march.columns.step) + 4.0;
  const double bytes = pixels * Tile::kPixelBytes + 15.0 + 16.0;  // begun early, read beyond
  if (!in.vectors || skips_rows || bytes > largest) {
    return 0;
  }
  return (static_cast<int>(bytes) + 15) / 16 * 16;
}

/// Long strips mix fewer rows twice, short ones give every multiprocessor enough warps.
inline int strip_rows_of(const char* function, std::int64_t tiles, std::int64_t rows) {
  const std::int64_t warps = std::int64_t{multiprocessor_count(function)} * 64;
  const std::int64_t each = tiles * rows / warps;
  return static_cast<int>(std::clamp<std::int64_t>(each, 4, kStripRows));
}

template <template <class, int, bool> class Method, class T, int Channels>
void march(const char* function, ImageView<const T> in, ImageView<T> out, bool skips_rows,
           Stream stream) {
  using Tile = MarchTile<T, Channels>;
  constexpr int taps = Method<T, Channels, true>::kTaps;
  const std::int64_t tiles = (out.width + Tile::kPixels - 1) / Tile::kPixels;
  March march{axis_of(in.width, out.width), axis_of(in.height, out.height),
              strip_rows_of(function, tiles, out.height), 0};
  march.slot_bytes = slot_bytes_of<T, Channels>(rows_of(in), march, skips_rows);
  const std::int64_t band = std::int64_t{march.strip_rows} * kWarpsPerBlock;
  const std::int64_t bands = std::min<std::int64_t>((out.height + band - 1) / band, 65535);
  LaunchShape shape{dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(bands)),
                    dim3(kWarpSize, kWarpsPerBlock)};
  shape.dynamic_bytes =
      sizeof(Tap<taps>) * Tile::kPixels +
      std::size_t{kWarpsPerBlock} *
          static_cast<std::size_t>(Tile::kBytes + SourceRows<T>::kSlots * march.slot_bytes);
  const auto kernel = march.slot_bytes > 0 ? march_kernel<Method, T, Channels, true>
                                           : march_kernel<Method, T, Channels, false>;
  require_success(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shape.dynamic_bytes)),
                  function);
  launch(function, shape, stream, kernel, rows_of(in), rows_of(out), march);
}

}  // namespace gxr::kernels
