#include "gxr/kernels/remap.hpp"
#include "launch.cuh"
#include "remap_sample.hpp"

namespace gxr::kernels {
namespace {

constexpr int kAcross = 32;
constexpr int kDown = 8;

/// Blocks are squarish: neighbours read neighbouring pixels of several rows.
template <int Channels, class T>
__global__ void remap_kernel(ImageView<const T> in, ImageView<T> out, const PicturePlace* places) {
  const std::int64_t x = std::int64_t{blockIdx.x} * kAcross + threadIdx.x;
  if (x >= out.width) {
    return;
  }
  for (std::int64_t y = std::int64_t{blockIdx.y} * kDown + threadIdx.y; y < out.height;
       y += std::int64_t{gridDim.y} * kDown) {
    remap_pixel<Channels>(in, places[y * out.width + x], out.row(y) + x * Channels);
  }
}

template <int Channels, class T>
void remap(ImageView<const T> in, ImageView<T> out, const PicturePlace* places, Stream stream) {
  const std::int64_t bands = (out.height + kDown - 1) / kDown;
  const LaunchShape shape{dim3(static_cast<unsigned>((out.width + kAcross - 1) / kAcross),
                               static_cast<unsigned>(bands < 65535 ? bands : 65535)),
                          dim3(kAcross, kDown)};
  launch("remap_bilinear", shape, stream, remap_kernel<Channels, T>, in, out, places);
}

}  // namespace

template <class T>
void remap_bilinear(ImageInput<T> in, ImageView<T> out, const PicturePlace* places, Stream stream) {
  require_remap<T>(in, out, places);
  require_stream(stream);
  switch (in.channels) {
    case 1:
      return remap<1>(in, out, places, stream);
    case 2:
      return remap<2>(in, out, places, stream);
    case 3:
      return remap<3>(in, out, places, stream);
    default:
      return remap<4>(in, out, places, stream);
  }
}

template void remap_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                             const PicturePlace*, Stream);
template void remap_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                             const PicturePlace*, Stream);
template void remap_bilinear(ImageView<const float>, ImageView<float>, const PicturePlace*, Stream);

}  // namespace gxr::kernels
