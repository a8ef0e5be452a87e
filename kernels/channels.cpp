#include <array>
#include <stdexcept>
#include <string>

#include "contract.hpp"
#include "gxr/kernels/convert.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

using Order = std::array<int, 4>;

template <class T>
void permute_row(const T* in, T* out, std::int64_t width, std::int64_t in_channels,
                 std::int64_t out_channels, Order order) {
  for (std::int64_t x = 0; x < width; ++x, in += in_channels, out += out_channels) {
    for (std::int64_t c = 0; c < out_channels; ++c) {
      out[c] = in[order[static_cast<std::size_t>(c)]];
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

void require_entry(int entry, std::int64_t index, std::int64_t in_channels) {
  if (entry < 0 || entry >= in_channels) {
    throw std::invalid_argument("channel order: entry " + std::to_string(index) + " is " +
                                std::to_string(entry) + ", the input has channels 0 to " +
                                std::to_string(in_channels - 1));
  }
}

Order checked_order(const int* order, std::int64_t in_channels, std::int64_t out_channels) {
  require(order != nullptr, "channel order must not be null");
  Order checked{};
  for (std::int64_t c = 0; c < out_channels; ++c) {
    require_entry(order[c], c, in_channels);
    checked[static_cast<std::size_t>(c)] = order[c];
  }
  return checked;
}

bool swaps_red_blue(Order order, std::int64_t in_channels, std::int64_t out_channels) {
  const bool swapped = order[0] == 2 && order[1] == 1 && order[2] == 0;
  return swapped && in_channels == out_channels && (out_channels == 3 || order[3] == 3);
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
  const Order checked = checked_order(order, in.channels, out.channels);
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
  require_channels(rgb, 3, "rgb");
  require_channels(rgba, 4, "rgba");
  require_same_size(rgb, rgba);
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    run_vectorized<&add_alpha_row<T>>(rgb.row(y), rgba.row(y), rgb.width, alpha);
  }
}

template <class T>
void drop_alpha(ImageInput<T> rgba, ImageView<T> rgb) {
  require_channels(rgba, 4, "rgba");
  require_channels(rgb, 3, "rgb");
  require_same_size(rgba, rgb);
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
