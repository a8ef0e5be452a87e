#include "arguments.hpp"
#include "gxr/kernels/convert.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void permute_row(const T* in, T* out, std::int64_t width, std::int64_t in_channels,
                 std::int64_t out_channels, ChannelOrder order) {
  for (std::int64_t x = 0; x < width; ++x, in += in_channels, out += out_channels) {
    for (std::int64_t c = 0; c < out_channels; ++c) {
      out[c] = in[order.of[c]];
    }
  }
}

/// Red and blue exchanged, the order that is asked for most.
template <int Channels, class T>
void swap_red_blue_row(const T* __restrict in, T* __restrict out, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    out[Channels * x] = in[Channels * x + 2];
    out[Channels * x + 1] = in[Channels * x + 1];
    out[Channels * x + 2] = in[Channels * x];
    if constexpr (Channels == 4) {
      out[4 * x + 3] = in[4 * x + 3];
    }
  }
}

template <class T>
void add_alpha_row(const T* __restrict rgb, T* __restrict rgba, std::int64_t width, T alpha) {
  for (std::int64_t x = 0; x < width; ++x) {
    rgba[4 * x] = rgb[3 * x];
    rgba[4 * x + 1] = rgb[3 * x + 1];
    rgba[4 * x + 2] = rgb[3 * x + 2];
    rgba[4 * x + 3] = alpha;
  }
}

template <class T>
void drop_alpha_row(const T* __restrict rgba, T* __restrict rgb, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    rgb[3 * x] = rgba[4 * x];
    rgb[3 * x + 1] = rgba[4 * x + 1];
    rgb[3 * x + 2] = rgba[4 * x + 2];
  }
}

bool swaps_red_blue(ChannelOrder order, std::int64_t in_channels, std::int64_t out_channels) {
  const bool swapped = order.of[0] == 2 && order.of[1] == 1 && order.of[2] == 0;
  return swapped && in_channels == out_channels && (out_channels == 3 || order.of[3] == 3);
}

template <class T>
void swap_red_blue(ImageView<const T> in, ImageView<T> out) {
  for (std::int64_t y = 0; y < in.height; ++y) {
    if (in.channels == 3) {
      run_vectorized<&swap_red_blue_row<3, T>>(in.row(y), out.row(y), in.width);
    } else {
      run_vectorized<&swap_red_blue_row<4, T>>(in.row(y), out.row(y), in.width);
    }
  }
}

}  // namespace

template <class T>
void permute_channels(ImageInput<T> in, ImageView<T> out, const int* order) {
  require_image(in, "in");
  require_image(out, "out");
  require_same_size(in, out);
  const ChannelOrder checked = checked_order(order, in.channels, out.channels);
  if (swaps_red_blue(checked, in.channels, out.channels)) {
    swap_red_blue<T>(in, out);
    return;
  }
  for (std::int64_t y = 0; y < in.height; ++y) {
    permute_row(in.row(y), out.row(y), in.width, in.channels, out.channels, checked);
  }
}

template <class T>
void add_alpha(ImageInput<T> rgb, ImageView<T> rgba, T alpha) {
  require_add_alpha<T>(rgb, rgba);
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    run_vectorized<&add_alpha_row<T>>(rgb.row(y), rgba.row(y), rgb.width, alpha);
  }
}

template <class T>
void drop_alpha(ImageInput<T> rgba, ImageView<T> rgb) {
  require_drop_alpha<T>(rgba, rgb);
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    run_vectorized<&drop_alpha_row<T>>(rgba.row(y), rgb.row(y), rgb.width);
  }
}

template void permute_channels(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const int*);
template void permute_channels(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                               const int*);
template void permute_channels(ImageView<const float>, ImageView<float>, const int*);
template void add_alpha(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, std::uint8_t);
template void add_alpha(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, std::uint16_t);
template void add_alpha(ImageView<const float>, ImageView<float>, float);
template void drop_alpha(ImageView<const std::uint8_t>, ImageView<std::uint8_t>);
template void drop_alpha(ImageView<const std::uint16_t>, ImageView<std::uint16_t>);
template void drop_alpha(ImageView<const float>, ImageView<float>);

}  // namespace gxr::kernels
