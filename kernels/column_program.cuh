#pragma once

#include "tile.cuh"

/// Pictures without an input picture, whose rows have much in common: what depends on the column
/// alone is worked out once by each thread, for many rows.

namespace gxr::kernels {

template <class T, int Chunks, class Program>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock)
    column_kernel(Rows<T> out, Tiling tiling, Program program) {
  __shared__ Stage<Chunks> stages[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  const std::int64_t tile = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  const auto columns = program.columns(tile * kWarpSize + threadIdx.x);
  for_each_tile(tiling, [&](std::int64_t y, std::int64_t this_tile) {
    Run<T, Chunks> run;
    program.row(columns, y, run);
    store_tile(out, y, this_tile, stage, run);
  });
}

/// program.columns(n) gives what run number n of every row needs, also for runs beyond the end of
/// the rows; program.row(columns, y, run) makes the run. A thread does `rows_each` rows or more.
template <int Chunks, class T, class Program>
void draw_columns(const char* function, ImageView<T> out, std::int64_t rows_each, Stream stream,
                  Program program) {
  const Tiling tiling = tiling_of(out.row_elements(), out.height, Run<T, Chunks>::kCount);
  launch(function, shape_of(tiling, rows_each), stream, column_kernel<T, Chunks, Program>,
         rows_of(out), tiling, program);
}

}  // namespace gxr::kernels
