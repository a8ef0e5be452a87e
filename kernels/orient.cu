#include "gxr/kernels/orient.hpp"
#include "map.cuh"
#include "orientation_steps.hpp"

namespace gxr::kernels {
namespace {

template <class T>
struct CopyRun {
  template <int Chunks>
  __device__ void operator()(const Run<T, Chunks>& in, Run<T, Chunks>& out, Place) const {
    out = in;
  }
};

constexpr int kMirrorThreads = 256;

template <class P, class T>
__global__ void mirror_kernel(ImageView<const T> in, ImageView<T> out) {
  const std::int64_t x = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (x >= in.width) {
    return;
  }
  for (std::int64_t y = blockIdx.y; y < in.height; y += gridDim.y) {
    reinterpret_cast<P*>(out.row(y))[in.width - 1 - x] = reinterpret_cast<const P*>(in.row(y))[x];
  }
}

constexpr int kTile = 32;
constexpr int kTileRows = 8;  // of threads

/// Squares of pixels go through shared memory, so that rows are read and written along.
template <class P, class T>
__global__ void transpose_kernel(ImageView<const T> in, ImageView<T> out) {
  __shared__ P square[kTile][kTile + 1];
  const std::int64_t left = std::int64_t{blockIdx.x} * kTile;
  const std::int64_t squares = (in.height + kTile - 1) / kTile;
  for (std::int64_t band = blockIdx.y; band < squares; band += gridDim.y) {
    const std::int64_t top = band * kTile;
    for (int i = static_cast<int>(threadIdx.y); i < kTile; i += kTileRows) {
      if (top + i < in.height && left + threadIdx.x < in.width) {
        square[i][threadIdx.x] = reinterpret_cast<const P*>(in.row(top + i))[left + threadIdx.x];
      }
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.y); i < kTile; i += kTileRows) {
      if (left + i < out.height && top + threadIdx.x < out.width) {
        reinterpret_cast<P*>(out.row(left + i))[top + threadIdx.x] = square[threadIdx.x][i];
      }
    }
    __syncthreads();
  }
}

unsigned blocks_for(std::int64_t units, int each) {
  return static_cast<unsigned>((units + each - 1) / each);
}

unsigned rows_of_blocks(std::int64_t rows) {
  return static_cast<unsigned>(rows < 65535 ? rows : 65535);
}

template <class T>
void mirror(ImageView<const T> in, ImageView<T> out, Stream stream) {
  const LaunchShape shape{dim3(blocks_for(in.width, kMirrorThreads), rows_of_blocks(in.height)),
                          dim3(kMirrorThreads)};
  with_pixel<T>(in.channels, [&](auto pixel) {
    launch("orient", shape, stream, mirror_kernel<decltype(pixel), T>, in, out);
  });
}

template <class T>
void transpose(ImageView<const T> in, ImageView<T> out, Stream stream) {
  const LaunchShape shape{
      dim3(blocks_for(in.width, kTile), rows_of_blocks((in.height + kTile - 1) / kTile)),
      dim3(kTile, kTileRows)};
  with_pixel<T>(in.channels, [&](auto pixel) {
    launch("orient", shape, stream, transpose_kernel<decltype(pixel), T>, in, out);
  });
}

}  // namespace

template <class T>
void orient(ImageInput<T> in, ImageView<T> out, Orientation orientation, Stream stream) {
  require_orientable<T>(in, out, orientation);
  require_stream(stream);
  switch (split_orientation<T>(in, out, orientation)) {
    case OrientationStep::kCopy:
      return map_anywhere<1, 1>("orient", in, out, stream, CopyRun<T>{});
    case OrientationStep::kMirror:
      return mirror<T>(in, out, stream);
    case OrientationStep::kTranspose:
      return transpose<T>(in, out, stream);
  }
}

template void orient(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, Orientation, Stream);
template void orient(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, Orientation, Stream);
template void orient(ImageView<const float>, ImageView<float>, Orientation, Stream);

}  // namespace gxr::kernels
