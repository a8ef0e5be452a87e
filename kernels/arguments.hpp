#pragma once

#include <cmath>
#include <cstdint>

#include "contract.hpp"
#include "gxr/kernels/bayer.hpp"
#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/histogram.hpp"

/// What single functions ask of their arguments, the same on host and device.

namespace gxr::kernels {

template <class T>
void require_mosaic(ImageView<const T> rgb, ImageView<T> bayer, SensorNoise noise) {
  require_channels(rgb, 3, "rgb");
  require_channels(bayer, 1, "bayer");
  require_same_size(rgb, bayer);
  require(std::isfinite(noise.sigma) && noise.sigma >= 0.0F,
          "sigma must be finite and not below 0");
}

template <class T>
void require_demosaic(ImageView<const T> bayer, ImageView<T> rgb) {
  require_channels(bayer, 1, "bayer");
  require_channels(rgb, 3, "rgb");
  require_same_size(bayer, rgb);
}

inline void require_range(ScaleRange range) {
  require(std::isfinite(range.scale_min) && std::isfinite(range.scale_max) &&
              range.scale_min < range.scale_max,
          "scale_min must be below scale_max, both finite");
}

/// Which input channel each output channel takes.
struct ChannelOrder {
  int of[4] = {};
};

/// `order` has out_channels entries, each checked.
ChannelOrder checked_order(const int* order, std::int64_t in_channels, std::int64_t out_channels);

template <class T>
void require_add_alpha(ImageView<const T> rgb, ImageView<T> rgba) {
  require_channels(rgb, 3, "rgb");
  require_channels(rgba, 4, "rgba");
  require_same_size(rgb, rgba);
}

template <class T>
void require_drop_alpha(ImageView<const T> rgba, ImageView<T> rgb) {
  require_channels(rgba, 4, "rgba");
  require_channels(rgb, 3, "rgb");
  require_same_size(rgba, rgb);
}

template <class T>
void require_resizable(ImageView<const T> in, ImageView<T> out) {
  constexpr std::int64_t longest = std::int64_t{1} << 24;
  require_image(in, "in");
  require_image(out, "out");
  require_same_channels(in, out);
  require(in.width <= longest && in.height <= longest, "image 'in': sides must not exceed 2^24");
}

template <class T>
void require_countable(ImageView<const T> image, const std::uint32_t* counts) {
  require_image(image, "image");
  require(counts != nullptr, "counts must not be null");
  require(image.width <= std::int64_t{UINT32_MAX} / image.height, "image has 2^32 pixels or more");
}

template <class T>
void require_drawable(const std::uint32_t* counts, std::int64_t channels, ImageView<T> rgb) {
  require_channels(rgb, 3, "rgb");
  require(counts != nullptr, "counts must not be null");
  require(channels >= 1 && channels <= 4, "channels must be 1 to 4");
}

template <class T>
void require_color(ImageView<const T> image, const float* gains) {
  require_image(image, "image");
  require(image.channels >= 3, "grey-world gains need 3 or 4 channels");
  require(gains != nullptr, "gains must not be null");
}

template <class T>
void require_balance(ImageView<const T> in, ImageView<T> out, const float* gains) {
  require_same_shape(in, out);
  require(in.channels >= 3, "white balance needs 3 or 4 channels");
  require(gains != nullptr, "gains must not be null");
}

template <class T>
void require_bars(ImageView<T> rgb, float level) {
  require_channels(rgb, 3, "rgb");
  require(level >= 0.0F && level <= 1.0F, "level must be 0 to 1");
}

template <class T>
void require_plate(ImageView<T> rgb, double cycles_per_frame) {
  require_channels(rgb, 3, "rgb");
  require(std::isfinite(cycles_per_frame), "cycles_per_frame must be finite");
}

}  // namespace gxr::kernels
