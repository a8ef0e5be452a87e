#pragma once

#include "resize_march.cuh"

/// Resizing where an output pixel is made of many of the input's, or of a single line: a warp mixes
/// the rows of a window of columns, four elements a thread, to one line of floats in shared memory,
/// and then the columns of that line. Any number of taps, windows as many as are needed.

namespace gxr::kernels {

/// One axis: boxes where it shrinks, else two taps (or one).
struct BoxAxis {
  Axis axis;
  int taps;
  bool shrinks;
};

inline BoxAxis box_axis(std::int64_t in_length, std::int64_t out_length, bool area) {
  const bool shrinks = area && out_length < in_length;
  const std::int64_t taps =
      shrinks ? area_tap_count(in_length, out_length) : bilinear_tap_count(in_length);
  return {axis_of(in_length, out_length), static_cast<int>(taps), shrinks};
}

__device__ inline std::int32_t first_tap(const BoxAxis& box, std::int64_t i) {
  const Axis& axis = box.axis;
  return box.shrinks
             ? static_cast<std::int32_t>(area_first(i, axis.in_length, axis.out_length, box.taps))
             : bilinear_tap(i, axis.in_length, axis.step).first;
}

__device__ inline float tap_weight(const BoxAxis& box, std::int64_t i, std::int32_t first, int t) {
  const Axis& axis = box.axis;
  if (box.shrinks) {
    return area_weight(i, std::int64_t{first} + t, axis.in_length, axis.out_length);
  }
  const float second = bilinear_tap(i, axis.in_length, axis.step).second;
  return t == 0 ? 1.0F - second : second;
}

/// Pixels of a tile.
template <int Channels>
constexpr int kBoxPixelsEach = Channels == 1   ? 8
                               : Channels == 4 ? 2
                                               : 4;
template <int Channels>
constexpr int kBoxPixels = kBoxPixelsEach<Channels>* kWarpSize;

constexpr int kWindowElements = 1600;  ///< of the mixed line in shared memory, at most
constexpr int kBandRows = 64;          ///< of a block: its warps take turns
constexpr int kTabledTaps = 32;        ///< weights of more are worked out where they are needed

/// Taps of Outputs neighbouring columns or rows, in shared memory.
template <int Outputs>
struct BoxTable {
  std::int32_t* first;
  float* weight;  ///< of tap t from t * Outputs on, for the first kTabledTaps taps

  GXR_HOST_DEVICE static constexpr int numbers(int taps) {
    return Outputs * (1 + (taps < kTabledTaps ? taps : kTabledTaps));
  }

  __device__ explicit BoxTable(std::uint32_t* memory)
      : first(reinterpret_cast<std::int32_t*>(memory)),
        weight(reinterpret_cast<float*>(memory + Outputs)) {}

  /// All threads of a block write the taps of output `begin` and the following; those beyond the
  /// picture are its last.
  __device__ void write(const BoxAxis& box, std::int64_t begin, float scale) const {
    const int threads = static_cast<int>(blockDim.x * blockDim.y);
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int count = Outputs * (box.taps < kTabledTaps ? box.taps : kTabledTaps);
#pragma unroll 1
    for (int i = thread; i < count; i += threads) {
      const std::int64_t wanted = begin + i % Outputs;
      const std::int64_t output = wanted < box.axis.out_length ? wanted : box.axis.out_length - 1;
      const std::int32_t tap = first_tap(box, output);
      first[i % Outputs] = tap;
      weight[i] = tap_weight(box, output, tap, i / Outputs) * scale;
    }
    __syncthreads();
  }
};

template <int Channels>
using BoxColumns = BoxTable<kBoxPixels<Channels>>;
using BoxRows = BoxTable<kBandRows>;

/// Four neighbouring elements as subnormal().
template <class T>
struct Quad {
  float of[4];
};

/// From an address that is a multiple of the quad's size.
template <class T>
__device__ Quad<T> whole_quad(const T* from) {
  if constexpr (sizeof(T) == 1) {
    const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(from);
    return {subnormal_of<T>(word, 0), subnormal_of<T>(word, 1), subnormal_of<T>(word, 2),
            subnormal_of<T>(word, 3)};
  } else if constexpr (sizeof(T) == 2) {
    const uint2 words = *reinterpret_cast<const uint2*>(from);
    return {subnormal_of<T>(words.x, 0), subnormal_of<T>(words.x, 1), subnormal_of<T>(words.y, 0),
            subnormal_of<T>(words.y, 1)};
  } else {
    const float4 floats = *reinterpret_cast<const float4*>(from);
    return {floats.x, floats.y, floats.z, floats.w};
  }
}

/// Element by element; those beyond the row are 0.
template <class T>
__device__ Quad<T> partial_quad(const T* from, std::int64_t left) {
  Quad<T> quad;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    quad.of[i] = i < left ? subnormal(from[i]) : 0.0F;
  }
  return quad;
}

template <bool Whole, class T>
__device__ Quad<T> quad_at(const Rows<const T>& in, const T* row, std::int64_t element) {
  if constexpr (Whole) {
    return whole_quad(row + element);
  } else {
    return partial_quad(row + element, in.elements - element);
  }
}

/// The rows that one output row is made of. Each thread of the warp knows the weight of one tap;
/// with Many, which may be more than kTabledTaps, of every kWarpSize-th. Taps of weight 0 at both
/// ends are left out unless there are that many.
template <class T, bool Many>
class BoxRow {
 public:
  /// Row number `index` of the band is the output's row y.
  __device__ BoxRow(const BoxAxis& box, const BoxRows& rows, int index, std::int64_t y)
      : box_(box), y_(y), first_(rows.first[index]), taps_(box.taps) {
    const int lane = static_cast<int>(threadIdx.x);
    const bool tabled = lane < taps_ && lane < kTabledTaps;
    weight_ = tabled ? rows.weight[lane * kBandRows + index] : 0.0F;
    if (taps_ <= kTabledTaps) {
      const unsigned counting = __ballot_sync(0xffffffffU, weight_ != 0.0F);
      skipped_ = __ffs(static_cast<int>(counting)) - 1;
      taps_ = kWarpSize - __clz(static_cast<int>(counting)) - skipped_;
    }
  }

  __device__ int taps() const { return taps_; }
  __device__ std::int64_t first() const { return std::int64_t{first_} + skipped_; }

  /// Of tap t, at most kWarpSize of them. All threads of the warp must call it.
  __device__ float weight(int t) const { return __shfl_sync(0xffffffffU, weight_, t + skipped_); }

  /// Makes weight(i) that of tap begin + i.
  __device__ void load_weights(int begin) {
    const int t = begin + static_cast<int>(threadIdx.x);
    weight_ = t < box_.taps ? tap_weight(box_, y_, first_, t) * kColumnScale<T> : 0.0F;
  }

 private:
  const BoxAxis& box_;
  std::int64_t y_;
  std::int32_t first_;
  int taps_;
  int skipped_ = 0;
  float weight_ = 0.0F;
};

static_assert(kTabledTaps == kWarpSize);

/// A part of the input's columns.
struct Window {
  std::int64_t first_pixel;
  std::int64_t end_pixel;
  std::int64_t begin;  ///< element, a multiple of 4, at or before the first pixel
  int quads;
};

/// The window from `first_pixel` on, as large as fits `elements` but not beyond `end_pixel`.
template <int Channels>
__device__ Window window_from(std::int64_t first_pixel, std::int64_t end_pixel, int elements) {
  const std::int64_t begin = first_pixel * Channels / 4 * 4;
  const std::int64_t fitting = (begin + elements) / Channels;
  const std::int64_t end = end_pixel < fitting ? end_pixel : fitting;
  return {first_pixel, end, begin, static_cast<int>((end * Channels - begin + 3) / 4)};
}

__device__ inline void store_quad(float* line, int quad, const float (&sums)[4]) {
  reinterpret_cast<float4*>(line)[quad] = make_float4(sums[0], sums[1], sums[2], sums[3]);
}

/// Mixes rows with a number of taps that is known; all quads are whole.
template <int Taps, class T, bool Many>
__device__ void mix_few_rows(const Rows<const T>& in, const BoxRow<T, Many>& row,
                             const Window& window, float* line) {
  float weights[Taps];
#pragma unroll
  for (int t = 0; t < Taps; ++t) {
    weights[t] = row.weight(t);
  }
  const int lane = static_cast<int>(threadIdx.x);
  const auto* from =
      reinterpret_cast<const unsigned char*>(in.row(row.first()) + window.begin + 4 * lane);
#pragma unroll 1
  for (int quad = lane; quad < window.quads; quad += kWarpSize, from += 128 * sizeof(T)) {
    Quad<T> elements[Taps];
#pragma unroll
    for (int t = 0; t < Taps; ++t) {
      elements[t] = whole_quad(reinterpret_cast<const T*>(from + t * in.stride));
    }
    float sums[4] = {kNothing, kNothing, kNothing, kNothing};
#pragma unroll
    for (int i = 0; i < 4 * Taps; ++i) {
      sums[i % 4] = add_weighted(sums[i % 4], weights[i / 4], elements[i / 4].of[i % 4]);
    }
    store_quad(line, quad, sums);
  }
}

/// Mixes any number of rows. All threads stay in the loop, because they ask each other for weights.
template <bool Whole, class T, bool Many>
__device__ void mix_many_rows(const Rows<const T>& in, BoxRow<T, Many>& row, const Window& window,
                              float* line) {
#pragma unroll 1
  for (int begin = 0; begin < window.quads; begin += kWarpSize) {
    const int own = begin + static_cast<int>(threadIdx.x);
    const int quad = own < window.quads ? own : window.quads - 1;
    float sums[4] = {kNothing, kNothing, kNothing, kNothing};
#pragma unroll 1
    for (int group = 0; group < row.taps(); group += kWarpSize) {
      if constexpr (Many) {
        if (row.taps() > kWarpSize) {
          row.load_weights(group);
        }
      }
      const int taps = row.taps() - group < kWarpSize ? row.taps() - group : kWarpSize;
#pragma unroll(Whole ? 4 : 1)
      for (int t = 0; t < taps; ++t) {
        const float weight = row.weight(t);
        if (weight != 0.0F) {
          const Quad<T> elements =
              quad_at<Whole>(in, in.row(row.first() + group + t), window.begin + 4 * quad);
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            sums[i] = add_weighted(sums[i], weight, elements.of[i]);
          }
        }
      }
    }
    store_quad(line, quad, sums);
  }
}

template <class T, bool Many>
__device__ void mix_rows(const Rows<const T>& in, BoxRow<T, Many>& row, const Window& window,
                         float* line) {
  if (!in.vectors || window.begin + 4 * window.quads > in.elements) {
    return mix_many_rows<false>(in, row, window, line);
  }
  switch (row.taps()) {
    case 1:
      return mix_few_rows<1>(in, row, window, line);
    case 2:
      return mix_few_rows<2>(in, row, window, line);
    case 3:
      return mix_few_rows<3>(in, row, window, line);
    case 4:
      return mix_few_rows<4>(in, row, window, line);
    case 5:
      return mix_few_rows<5>(in, row, window, line);
    default:
      return mix_many_rows<true>(in, row, window, line);
  }
}

/// Adds what a window contributes to pixel `pixel` of the tile, column x of the output.
template <bool Many, class T, int Channels>
__device__ void add_columns(const BoxAxis& box, const BoxColumns<Channels>& columns, int pixel,
                            std::int64_t x, const Window& window, const float* line,
                            float (&sums)[Channels]) {
  const std::int32_t first = columns.first[pixel];
  const std::int64_t before = window.first_pixel - first;
  const std::int64_t until = window.end_pixel - first;
  const int begin = static_cast<int>(before > 0 ? before : 0);
  const int end = static_cast<int>(until < box.taps ? until : box.taps);
  const int place = static_cast<int>(std::int64_t{first} * Channels - window.begin);
#pragma unroll(Many ? 1 : 4)
  for (int t = begin; t < end; ++t) {
    const float weight = !Many || t < kTabledTaps ? columns.weight[t * kBoxPixels<Channels> + pixel]
                                                  : tap_weight(box, x, first, t) * kRowScale<T>;
#pragma unroll
    for (int c = 0; c < Channels; ++c) {
      sums[c] = add_weighted(sums[c], weight, line[place + t * Channels + c]);
    }
  }
}

template <class T, int Channels>
using BoxOutput = OutputTile<T, kBoxPixels<Channels> * Channels>;

/// One row of a tile.
template <class T, int Channels, bool Many>
__device__ void make_box_row(const Rows<const T>& in, const BoxOutput<T, Channels>& output,
                             const BoxAxis& box, const BoxColumns<Channels>& columns,
                             std::int64_t tile, BoxRow<T, Many>& row, float* line,
                             int line_elements) {
  constexpr int each = kBoxPixelsEach<Channels>;
  constexpr int pixels = kBoxPixels<Channels>;
  const int lane = static_cast<int>(threadIdx.x);
  float sums[each][Channels];
#pragma unroll
  for (int i = 0; i < each * Channels; ++i) {
    sums[i / Channels][i % Channels] = sum_start<T>();
  }
  const std::int64_t end = std::int64_t{columns.first[pixels - 1]} + box.taps;
  for (std::int64_t first = columns.first[0]; first < end;) {
    const Window window = window_from<Channels>(first, end, line_elements);
    mix_rows(in, row, window, line);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int pixel = j * kWarpSize + lane;
      add_columns<Many, T, Channels>(box, columns, pixel, tile * pixels + pixel, window, line,
                                     sums[j]);
    }
    __syncwarp();
    first = window.end_pixel;
  }
#pragma unroll
  for (int i = 0; i < each * Channels; ++i) {
    output.staged(staged_element<Channels>(i / Channels, i % Channels)) =
        finish_sum<T>(sums[i / Channels][i % Channels]);
  }
}

/// What a block of box_kernel does. Its shared memory holds both tables, and then for every warp
/// the staged tile and the line.
struct BoxWork {
  BoxAxis columns;
  BoxAxis rows;
  int line_elements;  ///< a multiple of 4

  template <int Channels>
  GXR_HOST_DEVICE int table_numbers() const {
    return BoxColumns<Channels>::numbers(columns.taps) + BoxRows::numbers(rows.taps);
  }

  template <class T, int Channels>
  GXR_HOST_DEVICE int warp_bytes() const {
    return BoxOutput<T, Channels>::kBytes + line_elements * 4;
  }
};

template <class T, int Channels, bool Many>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, Many ? 1 : 3)
    box_kernel(Rows<const T> in, Rows<T> out, BoxWork work) {
  extern __shared__ uint4 shared[];
  auto* numbers = reinterpret_cast<std::uint32_t*>(shared);
  const BoxColumns<Channels> columns(numbers);
  const BoxRows rows(numbers + BoxColumns<Channels>::numbers(work.columns.taps));
  auto* memory = reinterpret_cast<unsigned char*>(numbers + work.table_numbers<Channels>()) +
                 warp_in_block() * work.warp_bytes<T, Channels>();
  auto* line = reinterpret_cast<float*>(memory + BoxOutput<T, Channels>::kBytes);
  const std::int64_t tile = blockIdx.x;
  columns.write(work.columns, tile * kBoxPixels<Channels>, kRowScale<T>);
  BoxOutput<T, Channels> output(out, tile, memory);
  const std::int64_t height = work.rows.axis.out_length;
  const std::int64_t step = std::int64_t{gridDim.y} * kBandRows;
  for (std::int64_t band = std::int64_t{blockIdx.y} * kBandRows; band < height; band += step) {
    rows.write(work.rows, band, kColumnScale<T>);
    output.go_to(band + warp_in_block());
    for (int i = warp_in_block(); i < kBandRows && band + i < height; i += kWarpsPerBlock) {
      BoxRow<T, Many> row(work.rows, rows, i, band + i);
      make_box_row<T, Channels>(in, output, work.columns, columns, tile, row, line,
                                work.line_elements);
      __syncwarp();
      output.flush(kWarpsPerBlock);
      __syncwarp();
    }
    __syncthreads();
  }
}

/// As many as a tile's columns span, if that is not too much.
template <int Channels>
int line_elements_of(const BoxAxis& columns) {
  const double pixels = kBoxPixels<Channels> * columns.axis.step + columns.taps + 2.0;
  const double elements = std::min(pixels * Channels + 8.0, static_cast<double>(kWindowElements));
  return static_cast<int>(elements) / 4 * 4;
}

template <class T, int Channels>
void resize_boxes(const char* function, ImageView<const T> in, ImageView<T> out, bool area,
                  Stream stream) {
  BoxWork work{box_axis(in.width, out.width, area), box_axis(in.height, out.height, area), 0};
  work.line_elements = line_elements_of<Channels>(work.columns);
  const std::int64_t tiles = (out.width + kBoxPixels<Channels> - 1) / kBoxPixels<Channels>;
  const std::int64_t bands =
      std::min<std::int64_t>((out.height + kBandRows - 1) / kBandRows, 65535);
  LaunchShape shape{dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(bands)),
                    dim3(kWarpSize, kWarpsPerBlock)};
  shape.dynamic_bytes = static_cast<std::size_t>(work.table_numbers<Channels>() * 4 +
                                                 kWarpsPerBlock * work.warp_bytes<T, Channels>());
  const bool many = work.columns.taps > kTabledTaps || work.rows.taps > kTabledTaps;
  const auto kernel = many ? box_kernel<T, Channels, true> : box_kernel<T, Channels, false>;
  require_success(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shape.dynamic_bytes)),
                  function);
  launch(function, shape, stream, kernel, rows_of(in), rows_of(out), work);
}

}  // namespace gxr::kernels
