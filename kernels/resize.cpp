#include "gxr/kernels/resize.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "element.hpp"
#include "resize_taps.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

/// sum = weight * in
template <class T>
void weigh_row(const T* __restrict in, float weight, float* __restrict sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    sum[i] = weight * static_cast<float>(in[i]);
  }
}

/// sum += weight * in
template <class T>
void accumulate_row(const T* __restrict in, float weight, float* __restrict sum,
                    std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    sum[i] += weight * static_cast<float>(in[i]);
  }
}

/// sum[i] (+)= weight[i] * in[index[i]]
template <bool First>
void gather_row(const float* __restrict in, const std::int32_t* __restrict index,
                const float* __restrict weight, float* __restrict sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float part = weight[i] * in[index[i]];
    sum[i] = First ? part : sum[i] + part;
  }
}

template <class T>
void store_row(const float* __restrict in, T* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = quantize<T>(in[i]);
  }
}

/// Taps of the horizontal axis for interleaved elements instead of pixels.
AxisTaps interleave(const AxisTaps& pixels, std::int64_t channels) {
  AxisTaps elements{pixels.count, {}, std::vector<std::vector<float>>(pixels.weight.size())};
  for (std::size_t x = 0; x < pixels.first.size(); ++x) {
    for (std::int64_t c = 0; c < channels; ++c) {
      elements.first.push_back(static_cast<std::int32_t>(pixels.first[x] * channels + c));
    }
    for (std::size_t t = 0; t < pixels.weight.size(); ++t) {
      elements.weight[t].insert(elements.weight[t].end(), static_cast<std::size_t>(channels),
                                pixels.weight[t][x]);
    }
  }
  return elements;
}

/// Resamples along the columns first, because that is contiguous over the many input elements,
/// then along the rows.
template <class T>
class Resampler {
 public:
  Resampler(ImageView<const T> in, AxisTaps columns, AxisTaps rows)
      : in_(in),
        columns_(interleave(columns, in.channels)),
        rows_(std::move(rows)),
        tall_(static_cast<std::size_t>(in.row_elements())),
        sums_(columns_.first.size()) {}

  void write(std::int64_t y, T* out) {
    mix_rows(static_cast<std::size_t>(y));
    mix_columns();
    run_vectorized<&store_row<T>>(sums_.data(), out, static_cast<std::int64_t>(sums_.size()));
  }

 private:
  void mix_rows(std::size_t y) {
    const std::int64_t count = in_.row_elements();
    run_vectorized<&weigh_row<T>>(in_.row(rows_.first[y]), rows_.weight[0][y], tall_.data(), count);
    for (std::size_t t = 1; t < rows_.weight.size(); ++t) {
      const float weight = rows_.weight[t][y];
      if (weight != 0.0F) {
        const T* line = in_.row(rows_.first[y] + static_cast<std::int64_t>(t));
        run_vectorized<&accumulate_row<T>>(line, weight, tall_.data(), count);
      }
    }
  }

  void mix_columns() {
    const auto count = static_cast<std::int64_t>(sums_.size());
    run_vectorized<&gather_row<true>>(tall_.data(), columns_.first.data(),
                                      columns_.weight[0].data(), sums_.data(), count);
    for (std::size_t t = 1; t < columns_.weight.size(); ++t) {
      const float* shifted = tall_.data() + static_cast<std::int64_t>(t) * in_.channels;
      run_vectorized<&gather_row<false>>(shifted, columns_.first.data(), columns_.weight[t].data(),
                                         sums_.data(), count);
    }
  }

  ImageView<const T> in_;
  AxisTaps columns_;
  AxisTaps rows_;
  std::vector<float> tall_;  ///< one output row, still as wide as the input
  std::vector<float> sums_;  ///< one output row
};

template <class T>
void resample(ImageView<const T> in, ImageView<T> out, AxisTaps columns, AxisTaps rows) {
  Resampler<T> resampler(in, std::move(columns), std::move(rows));
  for (std::int64_t y = 0; y < out.height; ++y) {
    resampler.write(y, out.row(y));
  }
}

template <int Channels, class T>
void pick_row(const T* __restrict in, const std::int64_t* __restrict offsets, T* __restrict out,
              std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    for (int c = 0; c < Channels; ++c) {
      out[Channels * x + c] = in[offsets[x] + c];
    }
  }
}

template <class T>
using PickRow = void (*)(const T*, const std::int64_t*, T*, std::int64_t);

template <class T>
PickRow<T> pick_row_for(std::int64_t channels) {
  constexpr PickRow<T> by_channels[] = {pick_row<1, T>, pick_row<2, T>, pick_row<3, T>,
                                        pick_row<4, T>};
  return by_channels[channels - 1];
}

}  // namespace

template <class T>
void resize_nearest(ImageInput<T> in, ImageView<T> out) {
  require_resizable<T>(in, out);
  std::vector<std::int64_t> offsets;
  for (std::int64_t x = 0; x < out.width; ++x) {
    offsets.push_back(nearest_index(x, in.width, out.width) * in.channels);
  }
  const PickRow<T> pick = pick_row_for<T>(in.channels);
  for (std::int64_t y = 0; y < out.height; ++y) {
    pick(in.row(nearest_index(y, in.height, out.height)), offsets.data(), out.row(y), out.width);
  }
}

template <class T>
void resize_bilinear(ImageInput<T> in, ImageView<T> out) {
  require_resizable<T>(in, out);
  resample<T>(in, out, bilinear_taps(in.width, out.width), bilinear_taps(in.height, out.height));
}

template <class T>
void resize_area(ImageInput<T> in, ImageView<T> out) {
  require_resizable<T>(in, out);
  resample<T>(in, out, area_taps(in.width, out.width), area_taps(in.height, out.height));
}

template void resize_nearest(ImageView<const std::uint8_t>, ImageView<std::uint8_t>);
template void resize_nearest(ImageView<const std::uint16_t>, ImageView<std::uint16_t>);
template void resize_nearest(ImageView<const float>, ImageView<float>);
template void resize_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>);
template void resize_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>);
template void resize_bilinear(ImageView<const float>, ImageView<float>);
template void resize_area(ImageView<const std::uint8_t>, ImageView<std::uint8_t>);
template void resize_area(ImageView<const std::uint16_t>, ImageView<std::uint16_t>);
template void resize_area(ImageView<const float>, ImageView<float>);

}  // namespace gxr::kernels
