#include "arguments.hpp"
#include "column_program.cuh"
#include "element.hpp"
#include "histogram_bins.hpp"

namespace gxr::kernels {
namespace {

/// Bars of a histogram, as column_program.cuh wants them.
template <class T>
struct HistogramBars {
  static constexpr int kCount = Run<T, 1>::kCount;

  const std::uint32_t* counts;
  std::int64_t channels;
  std::int64_t width;
  std::int64_t height;

  /// The first row of each element's bar.
  struct Tops {
    std::int32_t of[kCount];
  };

  __device__ Tops columns(std::int64_t run) const {
    const std::uint32_t largest = largest_count();
    Tops tops;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const std::int64_t element = run * kCount + i;
      tops.of[i] =
          static_cast<std::int32_t>(height - bar(element < 3 * width ? element : 0, largest));
    }
    return tops;
  }

  __device__ void row(const Tops& tops, std::int64_t y, Run<T, 1>& run) const {
    const T lit = from_unit<T>(1.0F);
    const auto row = static_cast<std::int32_t>(y);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      run.append(i, row >= tops.of[i] ? lit : T{0});
    }
  }

 private:
  __device__ int drawn() const { return static_cast<int>(channels < 3 ? channels : 3); }

  /// Every warp looks at all drawn bins.
  __device__ std::uint32_t largest_count() const {
    std::uint32_t largest = 0;
    for (int i = static_cast<int>(threadIdx.x); i < drawn() * 256; i += kWarpSize) {
      largest = counts[i] > largest ? counts[i] : largest;
    }
    return __reduce_max_sync(0xffffffffU, largest);
  }

  __device__ std::int64_t bar(std::int64_t element, std::uint32_t largest) const {
    const int channel = channels == 1 ? 0 : static_cast<int>(element % 3);
    if (channel >= drawn()) {
      return 0;
    }
    const std::uint32_t count = column_count(counts + channel * 256, element / 3, width);
    return bar_height(count, largest, height);
  }
};

}  // namespace

template <class T>
void draw_histogram(const std::uint32_t* counts, std::int64_t channels, ImageView<T> rgb,
                    Stream stream) {
  require_drawable(counts, channels, rgb);
  require(rgb.height <= INT32_MAX, "image 'rgb' must not have more than 2^31 - 1 rows");
  require_stream(stream);
  draw_columns<1>("draw_histogram", rgb, 64, stream,
                  HistogramBars<T>{counts, channels, rgb.width, rgb.height});
}

template void draw_histogram(const std::uint32_t*, std::int64_t, ImageView<std::uint8_t>, Stream);
template void draw_histogram(const std::uint32_t*, std::int64_t, ImageView<std::uint16_t>, Stream);
template void draw_histogram(const std::uint32_t*, std::int64_t, ImageView<float>, Stream);

}  // namespace gxr::kernels
