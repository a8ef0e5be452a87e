#include "difference.hpp"
#include "gxr/kernels/subtract.hpp"
#include "tile.cuh"

namespace gxr::kernels {
namespace {

template <class T>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock)
    subtract_kernel(Rows<const T> a, Rows<const T> b, Rows<T> out, Tiling tiling) {
  __shared__ Stage<1> stages[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  for_each_tile(tiling, [&](std::int64_t y, std::int64_t tile) {
    Run<T, 1> first;
    Run<T, 1> second;
    Run<T, 1> made;
    load_tile(a, y, tile, stage, first);
    load_tile(b, y, tile, stage, second);
#pragma unroll
    for (int i = 0; i < made.kCount; ++i) {
      made.append(i, distance_between(first.get(i), second.get(i)));
    }
    store_tile(out, y, tile, stage, made);
  });
}

}  // namespace

template <class T>
void subtract_absolute(ImageInput<T> a, ImageInput<T> b, ImageView<T> out, Stream stream) {
  require_difference<T>(a, b, out);
  require_stream(stream);
  if (has_no_gaps(a) && has_no_gaps(b) && has_no_gaps(out)) {
    a = as_one_row(a);
    b = as_one_row(b);
    out = as_one_row(out);
  }
  const Tiling tiling = tiling_of(a.row_elements(), a.height, Run<T, 1>::kCount);
  launch("subtract_absolute", shape_of(tiling), stream, subtract_kernel<T>, rows_of(a), rows_of(b),
         rows_of(out), tiling);
}

template void subtract_absolute(ImageView<const std::uint8_t>, ImageView<const std::uint8_t>,
                                ImageView<std::uint8_t>, Stream);
template void subtract_absolute(ImageView<const std::uint16_t>, ImageView<const std::uint16_t>,
                                ImageView<std::uint16_t>, Stream);
template void subtract_absolute(ImageView<const float>, ImageView<const float>, ImageView<float>,
                                Stream);

}  // namespace gxr::kernels
