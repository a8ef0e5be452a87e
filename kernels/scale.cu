#include "channel_numbers.hpp"
#include "column_program.cuh"
#include "element.hpp"
#include "gxr/kernels/scale.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

template <class T, int Channels>
struct ScaleRun {
  ChannelNumbers factors;

  template <int Chunks>
  __device__ void operator()(const Run<T, Chunks>& in, Run<T, Chunks>& out, Place) const {
#pragma unroll
    for (int i = 0; i < out.kCount; ++i) {
      out.append(i, quantize<T>(static_cast<float>(in.get(i)) * factors.of[i % Channels]));
    }
  }
};

template <class T, int Channels>
void scale(ImageView<const T> in, ImageView<T> out, ChannelNumbers factors, Stream stream) {
  map_anywhere<Channels, Channels>("scale_channels", in, out, stream,
                                   ScaleRun<T, Channels>{factors});
}

template <class T>
struct OneColor {
  T color[4];
  std::int64_t channels;

  __device__ Run<T, 1> columns(std::int64_t number) const {
    Run<T, 1> run;
#pragma unroll
    for (int i = 0; i < run.kCount; ++i) {
      const auto channel = static_cast<int>((number * run.kCount + i) % channels);
      run.append(i, channel == 0   ? color[0]
                    : channel == 1 ? color[1]
                    : channel == 2 ? color[2]
                                   : color[3]);
    }
    return run;
  }

  __device__ void row(const Run<T, 1>& columns, std::int64_t, Run<T, 1>& run) const {
    run = columns;
  }
};

}  // namespace

template <class T>
void scale_channels(ImageInput<T> in, ImageView<T> out, const float* factors, Stream stream) {
  require_same_shape(in, out);
  const ChannelNumbers checked = checked_numbers(factors, in.channels);
  require_stream(stream);
  constexpr void (*by_channels[])(ImageView<const T>, ImageView<T>, ChannelNumbers, Stream) = {
      scale<T, 1>, scale<T, 2>, scale<T, 3>, scale<T, 4>};
  by_channels[in.channels - 1](in, out, checked, stream);
}

template <class T>
void fill_channels(ImageView<T> image, const float* color, Stream stream) {
  require_image(image, "image");
  const ChannelNumbers checked = checked_numbers(color, image.channels);
  require_stream(stream);
  OneColor<T> program{{}, image.channels};
  for (int c = 0; c < 4; ++c) {
    program.color[c] = quantize<T>(checked.of[c]);
  }
  draw_columns<1>("fill_channels", image, 32, stream, program);
}

template void scale_channels(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const float*,
                             Stream);
template void scale_channels(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, const float*,
                             Stream);
template void scale_channels(ImageView<const float>, ImageView<float>, const float*, Stream);
template void fill_channels(ImageView<std::uint8_t>, const float*, Stream);
template void fill_channels(ImageView<std::uint16_t>, const float*, Stream);
template void fill_channels(ImageView<float>, const float*, Stream);

}  // namespace gxr::kernels
