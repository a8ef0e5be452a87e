#pragma once

#include "resize_march.cuh"

/// Area resizing to a half or a quarter in both directions: an output pixel of integers is the mean
/// of whole input pixels, which integers give exactly. Dot products with zeros and ones add up
/// those elements of a word that belong to one sum. As exact as the host's sums, whose weights are
/// powers of two there.

namespace gxr::kernels {

/// A part of an output row that one thread makes, from Factor rows of whole vectors.
template <class T, int Channels, int Factor>
struct MeanRun {
  static constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));
  static constexpr int kBoxElements = Factor * Channels;  ///< of one row, for one output pixel
  static constexpr int kBoxBytes = kBoxElements * static_cast<int>(sizeof(T));
  static constexpr int kPixels = 16 / std::gcd(16, kBoxBytes);
  static constexpr int kVectors = kPixels * kBoxBytes / 16;  ///< of each input row
  static constexpr int kElements = kPixels * Channels;
  static constexpr int kWords = kElements / kPerWord;
  static constexpr int kShift = Factor == 2 ? 2 : 4;

  /// Ones, a byte each, for the elements of input word `word` that count for output element
  /// `element` of the run.
  __device__ static constexpr std::uint32_t selection(int word, int element) {
    std::uint32_t ones = 0;
    for (int i = 0; i < kPerWord; ++i) {
      const int input = word * kPerWord + i;
      if (input / kBoxElements == element / Channels && input % Channels == element % Channels) {
        ones |= 1U << (8 * i);
      }
    }
    return ones;
  }
};

/// sum + the selected elements of the word
template <class T>
__device__ std::uint32_t add_selected(std::uint32_t sum, std::uint32_t word, std::uint32_t ones) {
  if constexpr (sizeof(T) == 1) {
    return __dp4a(word, ones, sum);
  } else {
    return __dp2a_lo(word, ones, sum);
  }
}

/// Adds the run's words of one input row.
template <class Run, class T>
__device__ void add_row(std::uint32_t (&sums)[Run::kElements], const uint4 (&row)[Run::kVectors]) {
#pragma unroll
  for (int i = 0; i < 4 * Run::kVectors; ++i) {
    const uint4& vector = row[i / 4];
    const std::uint32_t word = i % 4 == 0   ? vector.x
                               : i % 4 == 1 ? vector.y
                               : i % 4 == 2 ? vector.z
                                            : vector.w;
#pragma unroll
    for (int element = 0; element < Run::kElements; ++element) {
      if (Run::selection(i, element) != 0) {
        sums[element] = add_selected<T>(sums[element], word, Run::selection(i, element));
      }
    }
  }
}

/// All rows are read before the first is needed.
template <class T, int Channels, int Factor>
__device__ void stage_means(const T* from, std::ptrdiff_t stride, std::uint32_t* stage) {
  using Run = MeanRun<T, Channels, Factor>;
  uint4 rows[Factor][Run::kVectors];
#pragma unroll
  for (int i = 0; i < Factor * Run::kVectors; ++i) {
    const auto* row = reinterpret_cast<const unsigned char*>(from) + i / Run::kVectors * stride;
    rows[i / Run::kVectors][i % Run::kVectors] =
        reinterpret_cast<const uint4*>(row)[i % Run::kVectors];
  }
  std::uint32_t sums[Run::kElements];
#pragma unroll
  for (int i = 0; i < Run::kElements; ++i) {
    sums[i] = 1U << (Run::kShift - 1);
  }
#pragma unroll
  for (int i = 0; i < Factor; ++i) {
    add_row<Run, T>(sums, rows[i]);
  }
#pragma unroll
  for (int i = 0; i < Run::kWords; ++i) {
    std::uint32_t word = 0;
#pragma unroll
    for (int j = 0; j < Run::kPerWord; ++j) {
      word |= sums[i * Run::kPerWord + j] >> Run::kShift << (8 * static_cast<int>(sizeof(T)) * j);
    }
    stage[i] = word;
  }
}

/// Runs must be whole and the input's rows aligned.
template <class T, int Channels, int Factor>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, Factor == 2 ? 4 : 3)
    mean_kernel(Rows<const T> in, Rows<T> out, Tiling tiling) {
  using Run = MeanRun<T, Channels, Factor>;
  using Output = OutputTile<T, kWarpSize * Run::kElements>;
  __shared__ uint4 stages[kWarpsPerBlock][Output::kBytes / 16];
  auto* stage = reinterpret_cast<unsigned char*>(stages[warp_in_block()]);
  const int lane = static_cast<int>(threadIdx.x);
  for_each_tile(tiling, [&](std::int64_t y, std::int64_t tile) {
    const std::int64_t element = (tile * kWarpSize + lane) * (Run::kPixels * Run::kBoxElements);
    if (element < in.elements) {
      stage_means<T, Channels, Factor>(
          in.row(y * Factor) + element, in.stride,
          reinterpret_cast<std::uint32_t*>(stage) + lane * Run::kWords);
    }
    __syncwarp();
    Output output(out, tile, stage);
    output.go_to(y);
    output.flush(0);
    __syncwarp();
  });
}

template <int Factor, class T, int Channels>
bool resize_means_by(const char* function, ImageView<const T> in, ImageView<T> out, Stream stream) {
  using Run = MeanRun<T, Channels, Factor>;
  const bool fits = in.width == Factor * out.width && in.height == Factor * out.height;
  if (!fits || out.width % Run::kPixels != 0 || !rows_of(in).vectors) {
    return false;
  }
  const Tiling tiling = tiling_of(out.width, out.height, Run::kPixels);
  launch(function, shape_of(tiling), stream, mean_kernel<T, Channels, Factor>, rows_of(in),
         rows_of(out), tiling);
  return true;
}

/// Whether the picture was one for these kernels.
template <class T, int Channels>
bool resize_means(const char* function, ImageView<const T> in, ImageView<T> out, Stream stream) {
  if constexpr (std::is_same_v<T, float>) {
    return false;
  } else {
    return resize_means_by<2, T, Channels>(function, in, out, stream) ||
           resize_means_by<4, T, Channels>(function, in, out, stream);
  }
}

}  // namespace gxr::kernels
