#include "gxr/kernels/histogram.hpp"

#include <algorithm>
#include <vector>

#include "contract.hpp"
#include "element.hpp"

namespace gxr::kernels {
namespace {

std::size_t bin_of(std::uint8_t value) { return value; }

std::size_t bin_of(std::uint16_t value) { return value >> 8U; }

std::size_t bin_of(float value) {
  const float scaled = value * 256.0F;
  const float above = scaled > 0.0F ? scaled : 0.0F;
  return static_cast<std::size_t>(above < 255.0F ? above : 255.0F);
}

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
  require_image(image, "image");
  require(counts != nullptr, "counts must not be null");
  require(image.width <= std::int64_t{UINT32_MAX} / image.height, "image has 2^32 pixels or more");
  std::fill_n(counts, image.channels * kHistogramBins, 0U);
  for (std::int64_t y = 0; y < image.height; ++y) {
    count_row(image.row(y), image.width, image.channels, counts);
  }
}

/// The largest count among the bins that column x of `width` stands for.
std::uint32_t column_count(const std::uint32_t* bins, std::int64_t x, std::int64_t width) {
  const std::int64_t begin = kHistogramBins * x / width;
  const std::int64_t end = std::max(begin + 1, kHistogramBins * (x + 1) / width);
  return *std::max_element(bins + begin, bins + end);
}

std::int64_t bar_height(std::uint32_t count, std::uint32_t largest, std::int64_t height) {
  if (largest == 0) {
    return 0;
  }
  const double share = static_cast<double>(count) / static_cast<double>(largest);
  return static_cast<std::int64_t>(share * static_cast<double>(height) + 0.5);
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
  require_channels(rgb, 3, "rgb");
  require(counts != nullptr, "counts must not be null");
  require(channels >= 1 && channels <= 4, "channels must be 1 to 4");
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
