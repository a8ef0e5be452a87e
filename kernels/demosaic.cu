#include "arguments.hpp"
#include "bayer_rows.cuh"
#include "gxr/kernels/demosaic.hpp"
#include "output_tile.cuh"

namespace gxr::kernels {
namespace {

/// Rows that a thread makes from the rows it has in registers.
constexpr int kRowsEach = 2;
constexpr int kRowsSeen = kRowsEach + 4;

/// Rows that a warp makes one after the other, at most; a multiple of kRowsEach.
constexpr int kStripRows = 64;

template <class Lane>
struct Color {
  Lane own;
  Lane green;
  Lane other;
};

/// The rows y - 2 to y + 2, and sums of those at the same distance.
template <class T>
struct Surroundings {
  SumRow<T> above;
  SumRow<T> center;
  SumRow<T> below;
  SumRow<T> beside;  ///< above + below
  SumRow<T> far;     ///< two above + two below
};

template <class T>
__device__ auto neighbors_of(const Surroundings<T>& s, int step, int parity) {
  using Lane = typename SumRow<T>::Lane;
  Lane diagonal;
  if constexpr (std::is_same_v<T, float>) {  // the host's order
    diagonal = s.above.at(step, parity, -1) + s.above.at(step, parity, 1) +
               s.below.at(step, parity, -1) + s.below.at(step, parity, 1);
  } else {
    diagonal = s.beside.at(step, parity, -1) + s.beside.at(step, parity, 1);
  }
  return Neighbors<Lane>{s.center.at(step, parity, 0),
                         s.center.at(step, parity, -1) + s.center.at(step, parity, 1),
                         s.beside.at(step, parity, 0),
                         diagonal,
                         s.center.at(step, parity, -2) + s.center.at(step, parity, 2),
                         s.far.at(step, parity, 0)};
}

template <class Method, class T>
__device__ auto color_at(const Surroundings<T>& s, int step, int parity, bool site) {
  const auto n = neighbors_of(s, step, parity);
  using Lane = decltype(Method::template green_at_site<T>(n));
  const auto seen = static_cast<Lane>(as_result(n.center));
  if (site) {
    return Color<Lane>{seen, Method::template green_at_site<T>(n),
                       Method::template other_at_site<T>(n)};
  }
  return Color<Lane>{Method::template own_at_green<T>(n), seen,
                     Method::template other_at_green<T>(n)};
}

/// Puts the colours of two neighbouring columns behind each other.
template <class T>
__device__ void interleave(Run<T, 3>& rgb, int step, const T (&even)[3], const T (&odd)[3]) {
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    rgb.append(6 * step + c, even[c]);
  }
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    rgb.append(6 * step + 3 + c, odd[c]);
  }
}

/// Of two times two columns.
__device__ void interleave(Run<std::uint8_t, 3>& rgb, int step, const Pair (&even)[3],
                           const Pair (&odd)[3]) {
  const std::uint32_t first = __byte_perm(even[0].bits, even[1].bits, 0x7351);
  const std::uint32_t second = __byte_perm(even[2].bits, odd[0].bits, 0x7351);
  const std::uint32_t third = __byte_perm(odd[1].bits, odd[2].bits, 0x7351);
  rgb.words[3 * step] = __byte_perm(first, second, 0x5410);
  rgb.words[3 * step + 1] = __byte_perm(third, first, 0x7610);
  rgb.words[3 * step + 2] = __byte_perm(second, third, 0x7632);
}

/// `own` is red in rows of red, else blue.
template <int SiteParity, bool HasRed, class Method, class T>
__device__ void interpolate(const Surroundings<T>& s, Run<T, 3>& rgb) {
#pragma unroll
  for (int step = 0; step < SumRow<T>::kSteps; ++step) {
    const auto even = color_at<Method>(s, step, 0, SiteParity == 0);
    const auto odd = color_at<Method>(s, step, 1, SiteParity == 1);
    using Lane = decltype(even.own);
    using Plain = std::remove_const_t<Lane>;
    const Plain even_rgb[3] = {HasRed ? even.own : even.other, even.green,
                               HasRed ? even.other : even.own};
    const Plain odd_rgb[3] = {HasRed ? odd.own : odd.other, odd.green,
                              HasRed ? odd.other : odd.own};
    interleave(rgb, step, even_rgb, odd_rgb);
  }
}

template <class T>
__device__ Surroundings<T> surroundings(const PackedRow<T>* rows) {
  const auto above = SumRow<T>::widen(rows[1]);
  const auto below = SumRow<T>::widen(rows[3]);
  return {above, SumRow<T>::widen(rows[2]), below, above + below,
          SumRow<T>::widen(rows[0]) + SumRow<T>::widen(rows[4])};
}

template <class T>
using RgbTile = OutputTile<T, kWarpSize * Run<T, 3>::kCount>;

/// Writes the warp's runs and goes on to the next row.
template <class T>
__device__ void write_row(RgbTile<T>& tile, const Run<T, 3>& run) {
#pragma unroll
  for (int j = 0; j < 3; ++j) {
    tile.stage()[3 * static_cast<int>(threadIdx.x) + j] = chunk_of(run, j);
  }
  __syncwarp();
  tile.flush(1);
  __syncwarp();
}

/// Rows `begin`, an even one, to `end`, with a window of rows in registers. The sites of every
/// second row lie at the other parity.
template <int FirstParity, bool FirstHasRed, class Method, class T, class Source>
__device__ void demosaic_strip(Source source, RgbTile<T>& out, std::int64_t begin,
                               std::int64_t end) {
  PackedRow<T> packed[kRowsSeen];
  typename Source::Raw raw[kRowsSeen];
#pragma unroll
  for (int i = 0; i < kRowsSeen; ++i) {
    raw[i] = source.read();
  }
#pragma unroll
  for (int i = 0; i < kRowsSeen; ++i) {
    packed[i] = source.complete(raw[i]);
  }
  out.go_to(begin);
#pragma unroll 1
  for (auto left = static_cast<int>(end - begin);; left -= kRowsEach) {
    typename Source::Raw following[kRowsEach]{};
    if (left > kRowsEach) {
#pragma unroll
      for (int i = 0; i < kRowsEach; ++i) {
        following[i] = source.read();
      }
    }
    Run<T, 3> run;
    interpolate<FirstParity, FirstHasRed, Method>(surroundings(packed), run);
    write_row(out, run);
    if (left > 1) {
      interpolate<1 - FirstParity, !FirstHasRed, Method>(surroundings(packed + 1), run);
      write_row(out, run);
    }
    if (left <= kRowsEach) {
      return;
    }
#pragma unroll
    for (int i = 0; i < kRowsSeen - kRowsEach; ++i) {
      packed[i] = packed[i + kRowsEach];
    }
#pragma unroll
    for (int i = 0; i < kRowsEach; ++i) {
      packed[kRowsSeen - kRowsEach + i] = source.complete(following[i]);
    }
  }
}

/// Blocks that share a multiprocessor, as far as registers allow.
template <class Method, class T>
constexpr int kBlocksTogether = std::is_same_v<Method, Bilinear> && sizeof(T) == 1 ? 3 : 2;

template <class Method, class T, template <class> class Source>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, (kBlocksTogether<Method, T>))
    demosaic_kernel(Rows<const T> bayer, Rows<T> rgb, Tiling tiling, std::int64_t height,
                    int strip_rows, BayerPattern pattern) {
  __shared__ Stage<3> stages[kWarpsPerBlock];
  auto* stage = reinterpret_cast<unsigned char*>(stages[warp_in_block()].chunks);
  for_each_tile(tiling, [&](std::int64_t strip, std::int64_t tile) {
    const std::int64_t begin = strip * strip_rows;
    const std::int64_t end = begin + strip_rows < height ? begin + strip_rows : height;
    const Source<T> source(bayer, height, tile, begin - 2);
    RgbTile<T> out(rgb, tile, stage);
    switch (pattern) {
      case BayerPattern::kRggb:
        return demosaic_strip<0, true, Method>(source, out, begin, end);
      case BayerPattern::kBggr:
        return demosaic_strip<0, false, Method>(source, out, begin, end);
      case BayerPattern::kGrbg:
        return demosaic_strip<1, true, Method>(source, out, begin, end);
      default:
        return demosaic_strip<1, false, Method>(source, out, begin, end);
    }
  });
}

/// The same tiles in strips.
Tiling in_strips(Tiling tiling, int strip_rows) {
  return {tiling.per_row, (tiling.rows + strip_rows - 1) / strip_rows};
}

/// Rows of a strip, so that `blocks` at a time are done soonest: long strips read fewer rows twice,
/// but one block more than fit takes as long as a full round of them.
int strip_rows_of(std::int64_t blocks, Tiling tiling) {
  int best = 0;
  std::int64_t least = 0;
  for (int strip_rows = 2 * kRowsEach; strip_rows <= kStripRows; strip_rows += kRowsEach) {
    const dim3 grid = shape_of(in_strips(tiling, strip_rows)).grid;
    const std::int64_t rounds = (std::int64_t{grid.x} * grid.y + blocks - 1) / blocks;
    const std::int64_t rows = rounds * (strip_rows + kRowsSeen - kRowsEach);
    if (best == 0 || rows <= least) {
      best = strip_rows;
      least = rows;
    }
  }
  return best;
}

template <class Method, class T>
void demosaic(const char* function, ImageView<const T> bayer, ImageView<T> rgb,
              BayerPattern pattern, Stream stream) {
  require_demosaic(bayer, rgb);
  require_stream(stream);
  const Tiling tiling = tiling_of(bayer.width, bayer.height, PackedRow<T>::kColumns);
  const std::int64_t blocks =
      std::int64_t{multiprocessor_count(function)} * kBlocksTogether<Method, T>;
  const int strip_rows = strip_rows_of(blocks, tiling);
  const Tiling strips = in_strips(tiling, strip_rows);
  const bool whole = rows_of(bayer).vectors && bayer.width % PackedRow<T>::kColumns == 0 &&
                     bayer.height >= WholeRows<T>::kFewestRows;
  launch(function, shape_of(strips), stream,
         whole ? demosaic_kernel<Method, T, WholeRows> : demosaic_kernel<Method, T, AnyRows>,
         rows_of(bayer), rows_of(rgb), strips, bayer.height, strip_rows, pattern);
}

}  // namespace

template <class T>
void demosaic_bilinear(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern, Stream stream) {
  demosaic<Bilinear, T>("demosaic_bilinear", bayer, rgb, pattern, stream);
}

template <class T>
void demosaic_malvar(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern, Stream stream) {
  demosaic<Malvar, T>("demosaic_malvar", bayer, rgb, pattern, stream);
}

template void demosaic_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                                BayerPattern, Stream);
template void demosaic_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                                BayerPattern, Stream);
template void demosaic_bilinear(ImageView<const float>, ImageView<float>, BayerPattern, Stream);
template void demosaic_malvar(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, BayerPattern,
                              Stream);
template void demosaic_malvar(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                              BayerPattern, Stream);
template void demosaic_malvar(ImageView<const float>, ImageView<float>, BayerPattern, Stream);

}  // namespace gxr::kernels
