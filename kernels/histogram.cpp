#include "gxr/kernels/histogram.hpp"

#include <algorithm>
#include <vector>

#include "arguments.hpp"
#include "element.hpp"
#include "histogram_bins.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void count_row(const T* in, std::int64_t width, std::int64_t channels, std::uint32_t* counts) {
  for (std::int64_t x = 0; x < width; ++x, in += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      ++counts[static_cast<std::size_t>(c * kHistogramBins) + bin_of(in[c])];
    }
  }
}

template <class T>
void count_image(ImageView<const T> image, std::uint32_t* counts) {
  require_countable(image, counts);
  std::fill_n(counts, image.channels * kHistogramBins, 0U);
  for (std::int64_t y = 0; y < image.height; ++y) {
    count_row(image.row(y), image.width, image.channels, counts);
  }
}

/// Height of each element's bar in a row of the picture.
std::vector<std::int64_t> bar_heights(const std::uint32_t* counts, std::int64_t channels,
                                      std::int64_t width, std::int64_t height) {
  const std::int64_t drawn = std::min<std::int64_t>(channels, 3);
  const std::uint32_t largest = *std::max_element(counts, counts + drawn * kHistogramBins);
  std::vector<std::int64_t> heights;
  for (std::int64_t i = 0; i < 3 * width; ++i) {
    const std::int64_t channel = channels == 1 ? 0 : i % 3;
    const std::uint32_t* bins = counts + channel * kHistogramBins;
    const std::uint32_t count = channel < drawn ? column_count(bins, i / 3, width) : 0;
    heights.push_back(bar_height(count, largest, height));
  }
  return heights;
}

}  // namespace

void compute_histogram(ImageView<const std::uint8_t> image, std::uint32_t* counts) {
  count_image(image, counts);
}

void compute_histogram(ImageView<const std::uint16_t> image, std::uint32_t* counts) {
  count_image(image, counts);
}

void compute_histogram(ImageView<const float> image, std::uint32_t* counts) {
  count_image(image, counts);
}

template <class T>
void draw_histogram(const std::uint32_t* counts, std::int64_t channels, ImageView<T> rgb) {
  require_drawable(counts, channels, rgb);
  const auto heights = bar_heights(counts, channels, rgb.width, rgb.height);
  const T lit = from_unit<T>(1.0F);
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    std::transform(heights.begin(), heights.end(), rgb.row(y),
                   [=](std::int64_t bar) { return bar >= rgb.height - y ? lit : T{0}; });
  }
}

template void draw_histogram(const std::uint32_t*, std::int64_t, ImageView<std::uint8_t>);
template void draw_histogram(const std::uint32_t*, std::int64_t, ImageView<std::uint16_t>);
template void draw_histogram(const std::uint32_t*, std::int64_t, ImageView<float>);

}  // namespace gxr::kernels
