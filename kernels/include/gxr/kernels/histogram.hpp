#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

inline constexpr std::int64_t kHistogramBins = 256;

/// Counts values per channel into 256 bins of equal width. `counts` receives channels x 256
/// numbers, channel by channel. uint8_t: bin = value. uint16_t: bin = value / 256. float:
/// bin = floor(256 value), values outside 0..1 go to the first or last bin, not-a-number to the
/// first. Throws std::invalid_argument if `counts` is null or there are 2^32 pixels or more.
void compute_histogram(ImageView<const std::uint8_t> image, std::uint32_t* counts);
void compute_histogram(ImageView<const std::uint16_t> image, std::uint32_t* counts);
void compute_histogram(ImageView<const float> image, std::uint32_t* counts);

/// The same on a CUDA stream.
void compute_histogram(ImageView<const std::uint8_t> image, std::uint32_t* counts, Stream stream);
void compute_histogram(ImageView<const std::uint16_t> image, std::uint32_t* counts, Stream stream);
void compute_histogram(ImageView<const float> image, std::uint32_t* counts, Stream stream);

/// Draws a histogram into the whole of an RGB picture, bars rising from the lower edge on black,
/// scaled so that the largest count of all drawn channels fills the height.
/// `counts`: channels x 256 as from compute_histogram. One channel is drawn white, otherwise
/// channel 0 lights red, 1 green and 2 blue (where bars overlap colours add), and a fourth is not
/// drawn. Column x shows the largest of its bins: floor(256 x / width) up to, not including,
/// floor(256 (x + 1) / width), at least one. A bar is round(height count / largest) pixels high.
/// Throws std::invalid_argument if `counts` is null, `channels` is not 1..4, or `rgb` has not 3
/// channels.
template <class T>
void draw_histogram(const std::uint32_t* counts, std::int64_t channels, ImageView<T> rgb);

/// The same on a CUDA stream.
template <class T>
void draw_histogram(const std::uint32_t* counts, std::int64_t channels, ImageView<T> rgb,
                    Stream stream);

}  // namespace gxr::kernels
