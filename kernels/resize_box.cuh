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

constexpr int kWindowElements = 2048;  ///< of the mixed line in shared memory, at most
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

/// Four neighbouring elements as they lie in memory, and as subnormal().
template <class T>
using QuadBits = std::conditional_t<sizeof(T) == 1, std::uint32_t,
                                    std::conditional_t<sizeof(T) == 2, uint2, float4>>;

template <class T>
struct Quad {
  float of[4];
};

/// From an address that is a multiple of the quad's size.
template <class T>
__device__ QuadBits<T> load_quad(const void* from) {
  return *static_cast<const QuadBits<T>*>(from);
}

template <class T>
__device__ Quad<T> unpacked(QuadBits<T> bits) {
  if constexpr (sizeof(T) == 1) {
    return {subnormal_of<T>(bits, 0), subnormal_of<T>(bits, 1), subnormal_of<T>(bits, 2),
            subnormal_of<T>(bits, 3)};
  } else if constexpr (sizeof(T) == 2) {
    return {subnormal_of<T>(bits.x, 0), subnormal_of<T>(bits.x, 1), subnormal_of<T>(bits.y, 0),
            subnormal_of<T>(bits.y, 1)};
  } else {
    return {bits.x, bits.y, bits.z, bits.w};
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
    return unpacked<T>(load_quad<T>(row + element));
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
  mix_many_rows<true>(in, row, window, line);
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

/// The sums of this thread's pixels.
template <int Channels>
using BoxSums = float[kBoxPixelsEach<Channels>][Channels];

template <class T, int Channels>
__device__ void start_sums(BoxSums<Channels>& sums) {
#pragma unroll
  for (int i = 0; i < kBoxPixelsEach<Channels> * Channels; ++i) {
    sums[i / Channels][i % Channels] = sum_start<T>();
  }
}

/// finish_sum() without a conversion.
template <class T>
__device__ T finish_box(float sum) {
  if constexpr (std::is_same_v<T, float>) {
    return sum;
  } else {
    return cut_off<T>(fminf(sum, full_scale<T>()));
  }
}

template <class T, int Channels>
using BoxOutput = OutputTile<T, kBoxPixels<Channels> * Channels>;

template <class T, int Channels>
__device__ void stage_sums(const BoxOutput<T, Channels>& output, const BoxSums<Channels>& sums) {
#pragma unroll
  for (int i = 0; i < kBoxPixelsEach<Channels> * Channels; ++i) {
    output.staged(staged_element<Channels>(i / Channels, i % Channels)) =
        finish_box<T>(sums[i / Channels][i % Channels]);
  }
}

/// One row of a tile.
template <class T, int Channels, bool Many>
__device__ void make_box_row(const Rows<const T>& in, const BoxOutput<T, Channels>& output,
                             const BoxAxis& box, const BoxColumns<Channels>& columns,
                             std::int64_t tile, BoxRow<T, Many>& row, float* line,
                             int line_elements) {
  constexpr int each = kBoxPixelsEach<Channels>;
  constexpr int pixels = kBoxPixels<Channels>;
  const int lane = static_cast<int>(threadIdx.x);
  BoxSums<Channels> sums;
  start_sums<T, Channels>(sums);
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
  stage_sums<T, Channels>(output, sums);
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

/// A block's tables and this warp's part of its shared memory.
template <class T, int Channels>
struct BoxMemory {
  BoxColumns<Channels> columns;
  BoxRows rows;
  unsigned char* stage;
  float* line;

  __device__ BoxMemory(const BoxWork& work, uint4* shared)
      : columns(reinterpret_cast<std::uint32_t*>(shared)),
        rows(reinterpret_cast<std::uint32_t*>(shared) +
             BoxColumns<Channels>::numbers(work.columns.taps)),
        stage(reinterpret_cast<unsigned char*>(shared) + work.table_numbers<Channels>() * 4 +
              warp_in_block() * work.warp_bytes<T, Channels>()),
        line(reinterpret_cast<float*>(stage + BoxOutput<T, Channels>::kBytes)) {}
};

/// Calls make_row(number of the row in its band, row) for this warp's rows, which stages them.
template <class T, int Channels, class MakeRow>
__device__ void for_each_box_row(const BoxWork& work, const BoxMemory<T, Channels>& memory,
                                 BoxOutput<T, Channels>& output, MakeRow make_row) {
  const std::int64_t height = work.rows.axis.out_length;
  const std::int64_t step = std::int64_t{gridDim.y} * kBandRows;
  for (std::int64_t band = std::int64_t{blockIdx.y} * kBandRows; band < height; band += step) {
    memory.rows.write(work.rows, band, kColumnScale<T>);
    output.go_to(band + warp_in_block());
    for (int i = warp_in_block(); i < kBandRows && band + i < height; i += kWarpsPerBlock) {
      make_row(i, band + i);
      __syncwarp();
      output.flush(kWarpsPerBlock);
      __syncwarp();
    }
    __syncthreads();
  }
}

template <class T, int Channels, bool Many>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, Many ? 1 : 3)
    box_kernel(Rows<const T> in, Rows<T> out, BoxWork work) {
  extern __shared__ uint4 shared[];
  const BoxMemory<T, Channels> memory(work, shared);
  const std::int64_t tile = blockIdx.x;
  memory.columns.write(work.columns, tile * kBoxPixels<Channels>, kRowScale<T>);
  BoxOutput<T, Channels> output(out, tile, memory.stage);
  for_each_box_row<T, Channels>(work, memory, output, [&](int i, std::int64_t y) {
    BoxRow<T, Many> row(work.rows, memory.rows, i, y);
    make_box_row<T, Channels>(in, output, work.columns, memory.columns, tile, row, memory.line,
                              work.line_elements);
  });
}

/// As many as a tile's columns span, if that is not too much.
template <int Channels>
int line_elements_of(const BoxAxis& columns) {
  const double pixels = kBoxPixels<Channels> * columns.axis.step + columns.taps + 2.0;
  const double elements = std::min(pixels * Channels + 8.0, static_cast<double>(kWindowElements));
  return static_cast<int>(elements) / 4 * 4;
}

template <class T, int Channels>
using BoxKernel = void (*)(Rows<const T>, Rows<T>, BoxWork);

template <class T, int Channels>
void launch_boxes(const char* function, ImageView<const T> in, ImageView<T> out,
                  const BoxWork& work, BoxKernel<T, Channels> kernel, Stream stream) {
  const std::int64_t tiles = (out.width + kBoxPixels<Channels> - 1) / kBoxPixels<Channels>;
  const std::int64_t bands =
      std::min<std::int64_t>((out.height + kBandRows - 1) / kBandRows, 65535);
  LaunchShape shape{dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(bands)),
                    dim3(kWarpSize, kWarpsPerBlock)};
  shape.dynamic_bytes = static_cast<std::size_t>(work.table_numbers<Channels>() * 4 +
                                                 kWarpsPerBlock * work.warp_bytes<T, Channels>());
  require_success(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shape.dynamic_bytes)),
                  function);
  launch(function, shape, stream, kernel, rows_of(in), rows_of(out), work);
}

template <class T, int Channels>
BoxWork box_work(ImageView<const T> in, ImageView<T> out, bool area) {
  BoxWork work{box_axis(in.width, out.width, area), box_axis(in.height, out.height, area), 0};
  work.line_elements = line_elements_of<Channels>(work.columns);
  return work;
}

template <class T, int Channels>
void resize_any_boxes(const char* function, ImageView<const T> in, ImageView<T> out,
                      const BoxWork& work, Stream stream) {
  const bool many = work.columns.taps > kTabledTaps || work.rows.taps > kTabledTaps;
  launch_boxes<T, Channels>(function, in, out, work,
                            many ? box_kernel<T, Channels, true> : box_kernel<T, Channels, false>,
                            stream);
}

}  // namespace gxr::kernels
