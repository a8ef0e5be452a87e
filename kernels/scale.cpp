#include "gxr/kernels/scale.hpp"

#include <algorithm>

#include "channel_numbers.hpp"
#include "element.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T, int Channels>
void scale_row(const T* in, T* out, std::int64_t width, ChannelNumbers factors) {
  for (std::int64_t x = 0; x < width; ++x) {
    for (std::int64_t c = 0; c < Channels; ++c) {
      const std::int64_t i = x * Channels + c;
      out[i] = quantize<T>(static_cast<float>(in[i]) * factors.of[c]);
    }
  }
}

template <class T, int Channels>
void scale_rows(ImageView<const T> in, ImageView<T> out, ChannelNumbers factors) {
  for (std::int64_t y = 0; y < in.height; ++y) {
    run_vectorized<&scale_row<T, Channels>>(in.row(y), out.row(y), in.width, factors);
  }
}

}  // namespace

template <class T>
void scale_channels(ImageInput<T> in, ImageView<T> out, const float* factors) {
  require_same_shape(in, out);
  const ChannelNumbers checked = checked_numbers(factors, in.channels);
  constexpr void (*by_channels[])(ImageView<const T>, ImageView<T>, ChannelNumbers) = {
      scale_rows<T, 1>, scale_rows<T, 2>, scale_rows<T, 3>, scale_rows<T, 4>};
  by_channels[in.channels - 1](in, out, checked);
}

template <class T>
void fill_channels(ImageView<T> image, const float* color) {
  require_image(image, "image");
  const ChannelNumbers checked = checked_numbers(color, image.channels);
  T* const first = image.row(0);
  for (std::int64_t i = 0; i < image.row_elements(); ++i) {
    first[i] = quantize<T>(checked.of[i % image.channels]);
  }
  for (std::int64_t y = 1; y < image.height; ++y) {
    std::copy_n(first, image.row_elements(), image.row(y));
  }
}

template void scale_channels(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const float*);
template void scale_channels(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                             const float*);
template void scale_channels(ImageView<const float>, ImageView<float>, const float*);
template void fill_channels(ImageView<std::uint8_t>, const float*);
template void fill_channels(ImageView<std::uint16_t>, const float*);
template void fill_channels(ImageView<float>, const float*);

}  // namespace gxr::kernels
