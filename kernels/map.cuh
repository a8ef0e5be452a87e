#pragma once

#include <numeric>

#include "tile.cuh"

/// Pictures made from one picture, every run of pixels from the run at the same place.

namespace gxr::kernels {

/// The fewest pixels that fill a multiple of 16 bytes on both sides.
constexpr int pixels_of_run(std::size_t in_pixel_bytes, std::size_t out_pixel_bytes) {
  return static_cast<int>(std::size_t{16} /
                          std::gcd(std::size_t{16}, std::gcd(in_pixel_bytes, out_pixel_bytes)));
}

/// Where a thread's run begins.
struct Place {
  std::int64_t row;
  std::int64_t run;  ///< number of the run in its row
};

/// Blocks that share a multiprocessor: 64 registers a thread, more for long runs.
constexpr int blocks_together(int chunks) { return chunks > 5 ? 3 : 4; }

template <class In, int InChunks, class Out, int OutChunks, class Work>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, blocks_together(InChunks + OutChunks))
    map_kernel(Rows<const In> in, Rows<Out> out, Tiling tiling, Work work) {
  __shared__ Stage<(InChunks > OutChunks ? InChunks : OutChunks)> stages[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  for_each_tile(tiling, [&](std::int64_t y, std::int64_t tile) {
    Run<In, InChunks> taken;
    load_tile(in, y, tile, stage, taken);
    Run<Out, OutChunks> made;
    work(taken, made, Place{y, tile * kWarpSize + threadIdx.x});
    store_tile(out, y, tile, stage, made);
  });
}

/// Calls work(in run, out run, place) on the device for all runs. InChannels and OutChannels say
/// what a pixel is here: work on single elements passes 1 for any picture.
template <int InChannels, int OutChannels, class In, class Out, class Work>
void map_runs(const char* function, ImageView<const In> in, ImageView<Out> out, Stream stream,
              Work work) {
  constexpr std::size_t in_bytes = InChannels * sizeof(In);
  constexpr std::size_t out_bytes = OutChannels * sizeof(Out);
  constexpr int run = pixels_of_run(in_bytes, out_bytes);
  constexpr int in_chunks = static_cast<int>(run * in_bytes / 16);
  constexpr int out_chunks = static_cast<int>(run * out_bytes / 16);
  const Tiling tiling = tiling_of(in.row_elements() / InChannels, in.height, run);
  launch(function, shape_of(tiling), stream, map_kernel<In, in_chunks, Out, out_chunks, Work>,
         rows_of(in), rows_of(out), tiling, work);
}

/// The same for work that does not depend on the place.
template <int InChannels, int OutChannels, class In, class Out, class Work>
void map_anywhere(const char* function, ImageView<const In> in, ImageView<Out> out, Stream stream,
                  Work work) {
  join_rows(in, out);
  map_runs<InChannels, OutChannels>(function, in, out, stream, work);
}

}  // namespace gxr::kernels
