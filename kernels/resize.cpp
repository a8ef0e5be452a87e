#include "gxr/kernels/resize.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "resize_sum.hpp"
#include "resize_taps.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

/// sum = weight * in
template <class T>
void weigh_row(const T* __restrict in, float weight, float* __restrict sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    sum[i] = add_weighted(kNothing, weight, static_cast<float>(in[i]));
  }
}

/// sum += weight * in
template <class T>
void accumulate_row(const T* __restrict in, float weight, float* __restrict sum,
                    std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    sum[i] = add_weighted(sum[i], weight, static_cast<float>(in[i]));
  }
}

/// sum[i] += weight[i] * in[index[i]]
void gather_row(const float* __restrict in, const std::int32_t* __restrict index,
                const float* __restrict weight, float* __restrict sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    sum[i] = add_weighted(sum[i], weight[i], in[index[i]]);
  }
}

template <class T>
void store_row(const float* __restrict in, T* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = finish_sum<T>(in[i]);
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

/// sums = start + the weighted elements of `line`, which is as wide as the input.
void mix_columns(const AxisTaps& elements, std::int64_t channels, const std::vector<float>& line,
                 float start, std::vector<float>& sums) {
  const auto count = static_cast<std::int64_t>(sums.size());
  std::fill(sums.begin(), sums.end(), start);
  for (std::size_t t = 0; t < elements.weight.size(); ++t) {
    const float* shifted = line.data() + static_cast<std::int64_t>(t) * channels;
    run_vectorized<&gather_row>(shifted, elements.first.data(), elements.weight[t].data(),
                                sums.data(), count);
  }
}

/// Mixes rows, which is contiguous over the many input elements, then columns.
template <class T>
class RowsFirst {
 public:
  RowsFirst(ImageView<const T> in, const AxisTaps& columns, AxisTaps rows)
      : in_(in),
        columns_(interleave(columns, in.channels)),
        rows_(std::move(rows)),
        tall_(static_cast<std::size_t>(in.row_elements())),
        sums_(columns_.first.size()) {}

  void write(std::int64_t y, T* out) {
    mix_rows(static_cast<std::size_t>(y));
    mix_columns(columns_, in_.channels, tall_, sum_start<T>(), sums_);
    run_vectorized<&store_row<T>>(sums_.data(), out, static_cast<std::int64_t>(sums_.size()));
  }

 private:
  /// Rows of weight 0 do not count.
  void mix_rows(std::size_t y) {
    bool begun = false;
    for (std::size_t t = 0; t < rows_.weight.size(); ++t) {
      const float weight = rows_.weight[t][y];
      if (weight != 0.0F) {
        const T* line = in_.row(rows_.first[y] + static_cast<std::int64_t>(t));
        if (begun) {
          run_vectorized<&accumulate_row<T>>(line, weight, tall_.data(), in_.row_elements());
        } else {
          run_vectorized<&weigh_row<T>>(line, weight, tall_.data(), in_.row_elements());
        }
        begun = true;
      }
    }
  }

  ImageView<const T> in_;
  AxisTaps columns_;
  AxisTaps rows_;
  std::vector<float> tall_;  ///< one output row, still as wide as the input
  std::vector<float> sums_;  ///< one output row
};

/// Mixes columns of each input row once, then rows. Both axes have two taps.
template <class T>
class ColumnsFirst {
 public:
  ColumnsFirst(ImageView<const T> in, const AxisTaps& columns, AxisTaps rows)
      : in_(in),
        columns_(interleave(columns, in.channels)),
        rows_(std::move(rows)),
        wide_(static_cast<std::size_t>(in.row_elements())),
        upper_(columns_.first.size()),
        lower_(columns_.first.size()),
        sums_(columns_.first.size()) {}

  /// Calls must come with y = 0, 1, 2, ...
  void write(std::int64_t y, T* out) {
    const auto index = static_cast<std::size_t>(y);
    load(rows_.first[index]);
    const auto count = static_cast<std::int64_t>(sums_.size());
    std::fill(sums_.begin(), sums_.end(), sum_start<T>());
    run_vectorized<&accumulate_row<float>>(upper_.data(), rows_.weight[0][index], sums_.data(),
                                           count);
    if (rows_.weight[1][index] != 0.0F) {
      run_vectorized<&accumulate_row<float>>(lower_.data(), rows_.weight[1][index], sums_.data(),
                                             count);
    }
    run_vectorized<&store_row<T>>(sums_.data(), out, count);
  }

 private:
  /// Makes `first` the upper row and its successor the lower one.
  void load(std::int64_t first) {
    if (first == upper_row_) {
      return;
    }
    if (first == upper_row_ + 1) {
      std::swap(upper_, lower_);
    } else {
      mix(first, upper_);
    }
    mix(first + 1, lower_);
    upper_row_ = first;
  }

  void mix(std::int64_t row, std::vector<float>& mixed) {
    run_vectorized<&weigh_row<T>>(in_.row(row), 1.0F, wide_.data(), in_.row_elements());
    mix_columns(columns_, in_.channels, wide_, kNothing, mixed);
  }

  ImageView<const T> in_;
  AxisTaps columns_;
  AxisTaps rows_;
  std::vector<float> wide_;   ///< one input row
  std::vector<float> upper_;  ///< input rows as wide as the output
  std::vector<float> lower_;
  std::vector<float> sums_;  ///< one output row
  std::int64_t upper_row_ = -2;
};

template <class Resampler, class T>
void resample(Resampler resampler, ImageView<T> out) {
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
  const AxisTaps columns = bilinear_taps(in.width, out.width);
  AxisTaps rows = bilinear_taps(in.height, out.height);
  if (columns_come_first(in.width, in.height)) {
    resample(ColumnsFirst<T>(in, columns, std::move(rows)), out);
  } else {
    resample(RowsFirst<T>(in, columns, std::move(rows)), out);
  }
}

template <class T>
void resize_area(ImageInput<T> in, ImageView<T> out) {
  require_resizable<T>(in, out);
  if (shrinks_nowhere(in.width, in.height, out.width, out.height)) {
    resize_bilinear(in, out);
    return;
  }
  resample(RowsFirst<T>(in, area_taps(in.width, out.width), area_taps(in.height, out.height)), out);
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
