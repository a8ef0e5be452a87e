#include "arguments.hpp"
#include "bayer_rows.cuh"
#include "gxr/kernels/demosaic.hpp"

namespace gxr::kernels {
namespace {

/// Rows that a thread makes from the rows it has in registers.
constexpr int kRowsEach = 2;
constexpr int kRowsSeen = kRowsEach + 4;

/// Rows that a warp makes one after the other, at most; a multiple of kRowsEach.
constexpr int kStripRows = 32;

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
  const auto seen = static_cast<Lane>(n.center);
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
  const std::uint32_t first = __byte_perm(even[0].bits, even[1].bits, 0x6240);
  const std::uint32_t second = __byte_perm(even[2].bits, odd[0].bits, 0x6240);
  const std::uint32_t third = __byte_perm(odd[1].bits, odd[2].bits, 0x6240);
  rgb.words[3 * step] = __byte_perm(first, second, 0x5410);
  rgb.words[3 * step + 1] = __byte_perm(third, first, 0x7610);
  rgb.words[3 * step + 2] = __byte_perm(second, third, 0x7632);
}

/// `own` is red in rows of red, else blue.
template <int SiteParity, class Method, class T>
__device__ void interpolate(const Surroundings<T>& s, bool has_red, Run<T, 3>& rgb) {
#pragma unroll
  for (int step = 0; step < SumRow<T>::kSteps; ++step) {
    const auto even = color_at<Method>(s, step, 0, SiteParity == 0);
    const auto odd = color_at<Method>(s, step, 1, SiteParity == 1);
    using Lane = decltype(even.own);
    using Plain = std::remove_const_t<Lane>;
    const Plain even_rgb[3] = {has_red ? even.own : even.other, even.green,
                               has_red ? even.other : even.own};
    const Plain odd_rgb[3] = {has_red ? odd.own : odd.other, odd.green,
                              has_red ? odd.other : odd.own};
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

/// Two rows, y even; the sites of the second row lie at the other parity.
template <int FirstParity, class Method, class T>
__device__ void demosaic_rows(const PackedRow<T> (&packed)[kRowsSeen], bool first_has_red,
                              const Rows<T>& rgb, std::int64_t height, std::int64_t y,
                              std::int64_t tile, uint4* stage) {
  Run<T, 3> run;
  interpolate<FirstParity, Method>(surroundings(packed), first_has_red, run);
  store_tile(rgb, y, tile, stage, run);
  if (y + 1 < height) {
    interpolate<1 - FirstParity, Method>(surroundings(packed + 1), !first_has_red, run);
    store_tile(rgb, y + 1, tile, stage, run);
  }
}

/// Goes down a strip with a window of rows in registers.
template <int FirstParity, class Method, class T>
__device__ void demosaic_strip(const Rows<const T>& bayer, const Rows<T>& rgb, bool first_has_red,
                               std::int64_t height, std::int64_t begin, std::int64_t end,
                               std::int64_t tile, uint4* stage) {
  const RowReader<T> reader(bayer, tile);
  PackedRow<T> packed[kRowsSeen];
#pragma unroll
  for (int i = 0; i < kRowsSeen; ++i) {
    const std::int64_t y = mirror(begin + i - 2, height);
    packed[i] = reader.complete(reader.read(y), y);
  }
#pragma unroll 1
  for (std::int64_t y = begin; y < end; y += kRowsEach) {
    RawRow<T> following[kRowsEach];
#pragma unroll
    for (int i = 0; i < kRowsEach; ++i) {
      following[i] = reader.read(mirror(y + kRowsSeen - 2 + i, height));
    }
    demosaic_rows<FirstParity, Method>(packed, first_has_red, rgb, height, y, tile, stage);
#pragma unroll
    for (int i = 0; i < kRowsSeen - kRowsEach; ++i) {
      packed[i] = packed[i + kRowsEach];
    }
#pragma unroll
    for (int i = 0; i < kRowsEach; ++i) {
      const std::int64_t next = mirror(y + kRowsSeen - 2 + i, height);
      packed[kRowsSeen - kRowsEach + i] = reader.complete(following[i], next);
    }
  }
}

template <class Method, class T>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, 2)
    demosaic_kernel(Rows<const T> bayer, Rows<T> rgb, Tiling tiling, std::int64_t height,
                    int strip_rows, BayerPattern pattern) {
  __shared__ Stage<3> stages[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  const bool first_has_red = red_row(pattern) == 0;
  const int first_parity = first_has_red ? red_column(pattern) : 1 - red_column(pattern);
  for_each_tile(tiling, [&](std::int64_t strip, std::int64_t tile) {
    const std::int64_t begin = strip * strip_rows;
    const std::int64_t end = begin + strip_rows < height ? begin + strip_rows : height;
    if (first_parity == 0) {
      demosaic_strip<0, Method>(bayer, rgb, first_has_red, height, begin, end, tile, stage);
    } else {
      demosaic_strip<1, Method>(bayer, rgb, first_has_red, height, begin, end, tile, stage);
    }
  });
}

/// Long strips read fewer rows twice, short ones give every multiprocessor enough warps.
int strip_rows_of(const char* function, std::int64_t tiles, std::int64_t rows) {
  const std::int64_t warps = std::int64_t{multiprocessor_count(function)} * 64;
  const std::int64_t each = tiles * rows / warps / kRowsEach * kRowsEach;
  return static_cast<int>(std::clamp<std::int64_t>(each, 2 * kRowsEach, kStripRows));
}

template <class Method, class T>
void demosaic(const char* function, ImageView<const T> bayer, ImageView<T> rgb,
              BayerPattern pattern, Stream stream) {
  require_demosaic(bayer, rgb);
  require_stream(stream);
  Tiling tiling = tiling_of(bayer.width, bayer.height, PackedRow<T>::kColumns);
  const int strip_rows = strip_rows_of(function, tiling.per_row, tiling.rows);
  tiling.rows = (bayer.height + strip_rows - 1) / strip_rows;
  launch(function, shape_of(tiling), stream, demosaic_kernel<Method, T>, rows_of(bayer),
         rows_of(rgb), tiling, bayer.height, strip_rows, pattern);
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
