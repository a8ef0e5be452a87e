#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "launch.cuh"
#include "run.cuh"

/// Pictures in tiles: a tile is a part of one row, a run of elements for each of a warp's 32
/// threads. Global memory is accessed 16 bytes a thread, neighbouring threads side by side; through
/// shared memory the bytes then get to, or come from, the threads whose runs they belong to.

namespace gxr::kernels {

constexpr int kWarpSize = 32;
constexpr int kWarpsPerBlock = 8;

/// A picture's rows as kernels see them.
template <class T>
struct Rows {
  T* data;
  std::ptrdiff_t stride;  ///< bytes
  std::int64_t elements;  ///< of a row
  bool vectors;           ///< every row begins at a multiple of 16 bytes

  __device__ T* row(std::int64_t y) const {
    using Byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data) + y * stride);
  }
};

template <class T>
Rows<T> rows_of(ImageView<T> view) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(view.data) % 16 == 0 &&
                       (view.row_stride % 16 == 0 || view.height == 1);
  return {view.data, view.row_stride, view.row_elements(), aligned};
}

template <class T>
bool has_no_gaps(ImageView<T> view) {
  return view.row_stride == view.row_elements() * static_cast<std::int64_t>(sizeof(T));
}

/// The same pixels as one long row, for work that does not depend on the place.
template <class T>
ImageView<T> as_one_row(ImageView<T> view) {
  view.width *= view.height;
  view.height = 1;
  return view;
}

/// Makes one row of each if neither has gaps.
template <class A, class B>
void join_rows(ImageView<A>& a, ImageView<B>& b) {
  if (has_no_gaps(a) && has_no_gaps(b)) {
    a = as_one_row(a);
    b = as_one_row(b);
  }
}

/// How many tiles a picture has.
struct Tiling {
  std::int64_t per_row;
  std::int64_t rows;
};

/// For runs of `run` units (pixels or elements) in rows of `units`.
inline Tiling tiling_of(std::int64_t units, std::int64_t rows, int run) {
  const std::int64_t tile = std::int64_t{kWarpSize} * run;
  return {(units + tile - 1) / tile, rows};
}

/// One warp a tile, or `rows_each` tiles below each other. A block's warps lie side by side, or
/// below each other where rows are short.
inline LaunchShape shape_of(Tiling tiling, std::int64_t rows_each = 1) {
  unsigned across = kWarpsPerBlock;
  while (across > 1 && across / 2 >= tiling.per_row) {
    across /= 2;
  }
  const unsigned down = kWarpsPerBlock / across;
  const std::int64_t blocks = (tiling.per_row + across - 1) / across;
  const std::int64_t band = down * rows_each;
  const std::int64_t bands = std::min<std::int64_t>((tiling.rows + band - 1) / band, 65535);
  return {dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(bands)),
          dim3(kWarpSize, across, down)};
}

/// This thread's warp within its block.
__device__ inline int warp_in_block() {
  return static_cast<int>(threadIdx.z * blockDim.y + threadIdx.y);
}

/// Calls work(row, tile) for this warp's share of the tiles; for grids made by shape_of.
template <class Work>
__device__ void for_each_tile(Tiling tiling, Work work) {
  const std::int64_t tile = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (tile >= tiling.per_row) {
    return;
  }
  const std::int64_t step = std::int64_t{gridDim.y} * blockDim.z;
  for (std::int64_t y = std::int64_t{blockIdx.y} * blockDim.z + threadIdx.z; y < tiling.rows;
       y += step) {
    work(y, tile);
  }
}

/// The tiles of a grid that is smaller than the picture: warp number `warp` of `warps` takes every
/// warps-th tile.
template <class Work>
__device__ void for_each_tile_of(Tiling tiling, std::int64_t warp, std::int64_t warps, Work work) {
  const std::int64_t step_rows = warps / tiling.per_row;
  const std::int64_t step_tiles = warps % tiling.per_row;
  std::int64_t y = warp / tiling.per_row;
  std::int64_t tile = warp % tiling.per_row;
  while (y < tiling.rows) {
    work(y, tile);
    y += step_rows;
    tile += step_tiles;
    if (tile >= tiling.per_row) {
      tile -= tiling.per_row;
      ++y;
    }
  }
}

/// Where in the staging memory the 16 bytes number `index` of a tile lie. With runs of two or four
/// chunks they change places so that eight threads that access their runs meet all banks.
template <int Chunks>
__device__ int staged(int index) {
  if constexpr (Chunks == 2) {
    return index ^ ((index >> 3) & 1);
  } else if constexpr (Chunks == 4) {
    return index ^ ((index >> 3) & 3);
  } else {
    return index;
  }
}

/// The staging memory of one warp, for runs of up to Chunks chunks.
template <int Chunks>
struct Stage {
  uint4 chunks[kWarpSize * Chunks];
};

/// A tile's elements, counted from its row's first to the end of the tile or of the row.
template <class T, int Chunks>
struct TilePart {
  static constexpr int kPerChunk = 16 / static_cast<int>(sizeof(T));
  static constexpr int kTile = kWarpSize * Chunks * kPerChunk;

  T* begin;
  int count;  ///< elements, at most kTile, negative if the tile is beyond the row

  __device__ TilePart(const Rows<T>& rows, std::int64_t y, std::int64_t tile)
      : begin(rows.row(y) + tile * kTile) {
    const std::int64_t left = rows.elements - tile * kTile;
    count = static_cast<int>(left < kTile ? left : kTile);
  }

  /// The staged copy of element i.
  template <class Element>
  __device__ static Element& in_stage(uint4* stage, int i) {
    return reinterpret_cast<Element*>(stage + staged<Chunks>(i / kPerChunk))[i % kPerChunk];
  }
};

/// Reads this thread's run of a tile. What lies beyond the row is not set.
template <int Chunks, class T>
__device__ void load_tile(const Rows<const T>& rows, std::int64_t y, std::int64_t tile,
                          uint4* stage, Run<T, Chunks>& run) {
  const TilePart<const T, Chunks> part(rows, y, tile);
  constexpr int per_chunk = part.kPerChunk;
  const int lane = static_cast<int>(threadIdx.x);
  const auto* from = reinterpret_cast<const uint4*>(part.begin);
  if constexpr (Chunks == 1) {
    if (rows.vectors && part.count == part.kTile) {
      set_chunk(run, 0, from[lane]);
      return;
    }
  }
  if (rows.vectors) {
    const int whole = part.count / per_chunk;
    uint4 chunks[Chunks];
#pragma unroll
    for (int j = 0; j < Chunks; ++j) {
      if (lane + kWarpSize * j < whole) {
        chunks[j] = from[lane + kWarpSize * j];
      }
    }
#pragma unroll
    for (int j = 0; j < Chunks; ++j) {
      if (lane + kWarpSize * j < whole) {
        stage[staged<Chunks>(lane + kWarpSize * j)] = chunks[j];
      }
    }
    const int last = whole * per_chunk + lane;
    if (last < part.count) {
      part.template in_stage<T>(stage, last) = part.begin[last];
    }
  } else {
#pragma unroll 4
    for (int i = lane; i < part.count; i += kWarpSize) {
      part.template in_stage<T>(stage, i) = part.begin[i];
    }
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < Chunks; ++j) {
    set_chunk(run, j, stage[staged<Chunks>(lane * Chunks + j)]);
  }
  __syncwarp();
}

/// Writes a staged tile, as far as it lies in the row.
template <int Chunks, class T>
__device__ void flush_tile(const TilePart<T, Chunks>& part, bool vectors, uint4* stage) {
  constexpr int per_chunk = part.kPerChunk;
  const int lane = static_cast<int>(threadIdx.x);
  __syncwarp();
  if (vectors) {
    const int whole = part.count / per_chunk;
    auto* to = reinterpret_cast<uint4*>(part.begin);
#pragma unroll
    for (int j = 0; j < Chunks; ++j) {
      if (lane + kWarpSize * j < whole) {
        to[lane + kWarpSize * j] = stage[staged<Chunks>(lane + kWarpSize * j)];
      }
    }
    const int last = whole * per_chunk + lane;
    if (last < part.count) {
      part.begin[last] = part.template in_stage<T>(stage, last);
    }
  } else {
#pragma unroll 4
    for (int i = lane; i < part.count; i += kWarpSize) {
      part.begin[i] = part.template in_stage<T>(stage, i);
    }
  }
  __syncwarp();
}

/// Writes this thread's run of a tile, as far as it lies in the row.
template <int Chunks, class T>
__device__ void store_tile(const Rows<T>& rows, std::int64_t y, std::int64_t tile, uint4* stage,
                           const Run<T, Chunks>& run) {
  const TilePart<T, Chunks> part(rows, y, tile);
  const int lane = static_cast<int>(threadIdx.x);
  if constexpr (Chunks == 1) {
    if (rows.vectors && part.count == part.kTile) {
      reinterpret_cast<uint4*>(part.begin)[lane] = chunk_of(run, 0);
      return;
    }
  }
#pragma unroll
  for (int j = 0; j < Chunks; ++j) {
    stage[staged<Chunks>(lane * Chunks + j)] = chunk_of(run, j);
  }
  flush_tile(part, rows.vectors, stage);
}

}  // namespace gxr::kernels
