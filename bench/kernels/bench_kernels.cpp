// Throughput of the host kernels on a 1920 x 1080 picture, one thread.
//
// Counters: MP/s counts pixels of the larger side; GB/s counts each input and output byte once;
// `memcpy` is that rate over the rate of a memcpy that moves as many bytes, measured in this run
// just before the kernel.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <benchmark/benchmark.h>

#include "gxr/kernels/bayer.hpp"
#include "gxr/kernels/black_level.hpp"
#include "gxr/kernels/compare.hpp"
#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/demosaic.hpp"
#include "gxr/kernels/histogram.hpp"
#include "gxr/kernels/patterns.hpp"
#include "gxr/kernels/raw.hpp"
#include "gxr/kernels/resize.hpp"
#include "gxr/kernels/tone_curve.hpp"
#include "gxr/kernels/white_balance.hpp"

namespace {

using namespace gxr::kernels;
using u8 = std::uint8_t;
using u16 = std::uint16_t;

constexpr std::int64_t kWidth = 1920;
constexpr std::int64_t kHeight = 1080;

template <class T>
class Image {
 public:
  Image(std::int64_t width, std::int64_t height, std::int64_t channels)
      : width_(width),
        height_(height),
        channels_(channels),
        storage_(static_cast<std::size_t>(width * height * channels)) {}

  ImageView<T> view() { return packed_view(storage_.data(), width_, height_, channels_); }
  std::size_t bytes() const { return storage_.size() * sizeof(T); }
  std::int64_t pixels() const { return width_ * height_; }

 private:
  std::int64_t width_;
  std::int64_t height_;
  std::int64_t channels_;
  std::vector<T> storage_;
};

template <class T>
Image<T> noise_image(std::int64_t channels) {
  Image<T> rgb(kWidth, kHeight, 3);
  draw_noise(rgb.view(), 7);
  Image<T> image(kWidth, kHeight, channels);
  const int order[] = {0, 1, 2, 1};
  permute_channels(rgb.view(), image.view(), order);
  return image;
}

/// Bytes read and written per second by a memcpy that moves `bytes` in all; the best of 15.
double copy_rate(std::size_t bytes) {
  using Clock = std::chrono::steady_clock;
  const std::vector<unsigned char> from(bytes / 2, 1);
  std::vector<unsigned char> to(bytes / 2, 2);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 15; ++i) {
    const auto begin = Clock::now();
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return static_cast<double>(bytes) / best;
}

template <class Kernel>
void measure(benchmark::State& state, std::int64_t pixels, std::size_t bytes, Kernel kernel) {
  const double copied = copy_rate(bytes);
  for ([[maybe_unused]] auto _ : state) {
    kernel();
    benchmark::ClobberMemory();
  }
  using benchmark::Counter;
  const auto rate = Counter::kIsIterationInvariantRate;
  const auto total = static_cast<double>(bytes);
  state.counters["MP/s"] = Counter(static_cast<double>(pixels) / 1e6, rate);
  state.counters["GB/s"] = Counter(total / 1e9, rate);
  state.counters["memcpy"] = Counter(total / copied, rate);
}

/// From an input of some channels to an output of some shape and type.
template <class In, class Out, class Kernel>
void transform(benchmark::State& state, std::int64_t in_channels, Image<Out> out, Kernel kernel) {
  Image<In> in = noise_image<In>(in_channels);
  measure(state, std::max(in.pixels(), out.pixels()), in.bytes() + out.bytes(),
          [&] { kernel(in.view(), out.view()); });
}

template <class T>
Image<T> full_size(std::int64_t channels) {
  return Image<T>(kWidth, kHeight, channels);
}

template <class T>
void color_bars(benchmark::State& state) {
  Image<T> out = full_size<T>(3);
  measure(state, out.pixels(), out.bytes(), [&] { draw_color_bars(out.view()); });
}

template <class T>
void zone_plate(benchmark::State& state) {
  Image<T> out = full_size<T>(3);
  measure(state, out.pixels(), out.bytes(), [&] { draw_zone_plate(out.view(), 3); });
}

template <class T>
void noise(benchmark::State& state) {
  Image<T> out = full_size<T>(3);
  measure(state, out.pixels(), out.bytes(), [&] { draw_noise(out.view(), 3); });
}

template <class T>
void mosaic(benchmark::State& state) {
  transform<T>(state, 3, full_size<T>(1),
               [](auto in, auto out) { mosaic_bayer(in, out, BayerPattern::kRggb); });
}

template <class T>
void mosaic_with_noise(benchmark::State& state) {
  const SensorNoise sensor{0.01F, 1, 2};
  transform<T>(state, 3, full_size<T>(1),
               [sensor](auto in, auto out) { mosaic_bayer(in, out, BayerPattern::kRggb, sensor); });
}

template <class T>
void bilinear(benchmark::State& state) {
  transform<T>(state, 1, full_size<T>(3),
               [](auto in, auto out) { demosaic_bilinear(in, out, BayerPattern::kRggb); });
}

template <class T>
void malvar(benchmark::State& state) {
  transform<T>(state, 1, full_size<T>(3),
               [](auto in, auto out) { demosaic_malvar(in, out, BayerPattern::kRggb); });
}

/// RAW10 to 16 bits.
void unpack(benchmark::State& state) {
  Image<u8> packed(kWidth / 4 * 5, kHeight, 1);
  Image<u16> out = full_size<u16>(1);
  measure(state, out.pixels(), packed.bytes() + out.bytes(),
          [&] { unpack_raw(packed.view(), out.view(), RawFormat::kRaw10, RawScale::kSensor); });
}

template <class T>
void black_level(benchmark::State& state) {
  const BlackLevels levels{{1.0F, 2.0F, 3.0F, 4.0F}, {1.5F, 1.5F, 1.5F, 1.5F}};
  transform<T>(state, 1, full_size<T>(1),
               [&](auto in, auto out) { subtract_black<T>(in, out, levels); });
}

template <class T>
void grey_world(benchmark::State& state) {
  Image<T> in = noise_image<T>(3);
  float gains[3];
  measure(state, in.pixels(), in.bytes(), [&] { grey_world_gains(in.view(), gains); });
}

template <class T>
void gains(benchmark::State& state) {
  transform<T>(state, 3, full_size<T>(3), [](auto in, auto out) {
    const float factors[] = {1.5F, 1.0F, 1.25F};
    apply_gains(in, out, factors);
  });
}

template <class T>
void tone_table(benchmark::State& state) {
  const ToneTable<T> table(srgb_curve());
  transform<T>(state, 3, full_size<T>(3),
               [&](auto in, auto out) { apply_tone_table(in, out, table.data()); });
}

void tone_curve(benchmark::State& state) {
  transform<float>(state, 3, full_size<float>(3),
                   [](auto in, auto out) { apply_tone_curve(in, out, srgb_curve()); });
}

/// Scaling by percent / 100 in both directions.
template <class T, class Kernel>
void scale(benchmark::State& state, Kernel kernel) {
  const std::int64_t percent = state.range(0);
  transform<T>(state, 3, Image<T>(kWidth * percent / 100, kHeight * percent / 100, 3), kernel);
}

template <class T>
void nearest(benchmark::State& state) {
  scale<T>(state, [](auto in, auto out) { resize_nearest(in, out); });
}

template <class T>
void linear(benchmark::State& state) {
  scale<T>(state, [](auto in, auto out) { resize_bilinear(in, out); });
}

template <class T>
void area(benchmark::State& state) {
  scale<T>(state, [](auto in, auto out) { resize_area(in, out); });
}

template <class In, class Out>
void convert(benchmark::State& state) {
  transform<In>(state, 3, full_size<Out>(3), [](auto in, auto out) {
    convert_elements(ImageView<const In>(in), out, {-1.0F, 1.0F});
  });
}

template <class T>
void swap_red_and_blue(benchmark::State& state) {
  transform<T>(state, 3, full_size<T>(3), [](auto in, auto out) {
    const int order[] = {2, 1, 0};
    permute_channels(in, out, order);
  });
}

template <class T>
void rotate_channels(benchmark::State& state) {
  transform<T>(state, 3, full_size<T>(3), [](auto in, auto out) {
    const int order[] = {1, 2, 0};
    permute_channels(in, out, order);
  });
}

template <class T>
void rgb_to_rgba(benchmark::State& state) {
  transform<T>(state, 3, full_size<T>(4), [](auto in, auto out) { add_alpha(in, out, T{1}); });
}

template <class T>
void rgba_to_rgb(benchmark::State& state) {
  transform<T>(state, 4, full_size<T>(3), [](auto in, auto out) { drop_alpha(in, out); });
}

template <class T>
void histogram(benchmark::State& state) {
  Image<T> in = noise_image<T>(3);
  std::vector<std::uint32_t> counts(3 * kHistogramBins);
  measure(state, in.pixels(), in.bytes(), [&] { compute_histogram(in.view(), counts.data()); });
}

template <class T>
void histogram_picture(benchmark::State& state) {
  Image<T> out = full_size<T>(3);
  std::vector<std::uint32_t> counts(3 * kHistogramBins);
  compute_histogram(noise_image<T>(3).view(), counts.data());
  measure(state, out.pixels(), out.bytes(), [&] { draw_histogram(counts.data(), 3, out.view()); });
}

template <class T>
void signal_to_noise(benchmark::State& state) {
  Image<T> a = noise_image<T>(3);
  Image<T> b = noise_image<T>(3);
  measure(state, a.pixels(), a.bytes() + b.bytes(),
          [&] { benchmark::DoNotOptimize(psnr(a.view(), b.view())); });
}

BENCHMARK(bilinear<u8>);
BENCHMARK(bilinear<u16>);
BENCHMARK(bilinear<float>);
BENCHMARK(malvar<u8>);
BENCHMARK(malvar<u16>);
BENCHMARK(malvar<float>);
BENCHMARK(linear<u8>)->Arg(50)->Arg(75)->Arg(150);
BENCHMARK(linear<u16>)->Arg(50);
BENCHMARK(linear<float>)->Arg(50);
BENCHMARK(area<u8>)->Arg(25)->Arg(50)->Arg(75);
BENCHMARK(area<u16>)->Arg(50);
BENCHMARK(area<float>)->Arg(50);
BENCHMARK(nearest<u8>)->Arg(50)->Arg(150);
BENCHMARK(convert<u8, float>);
BENCHMARK(convert<u16, float>);
BENCHMARK(convert<float, u8>);
BENCHMARK(convert<float, u16>);
BENCHMARK(convert<u8, u16>);
BENCHMARK(convert<u16, u8>);
BENCHMARK(swap_red_and_blue<u8>);
BENCHMARK(swap_red_and_blue<float>);
BENCHMARK(rotate_channels<u8>);
BENCHMARK(rgb_to_rgba<u8>);
BENCHMARK(rgb_to_rgba<float>);
BENCHMARK(rgba_to_rgb<u8>);
BENCHMARK(rgba_to_rgb<float>);
BENCHMARK(gains<u8>);
BENCHMARK(gains<u16>);
BENCHMARK(gains<float>);
BENCHMARK(unpack);
BENCHMARK(black_level<u8>);
BENCHMARK(black_level<u16>);
BENCHMARK(black_level<float>);
BENCHMARK(grey_world<u8>);
BENCHMARK(tone_table<u8>);
BENCHMARK(tone_table<u16>);
BENCHMARK(tone_curve);
BENCHMARK(mosaic<u8>);
BENCHMARK(mosaic_with_noise<u8>);
BENCHMARK(color_bars<u8>);
BENCHMARK(zone_plate<u8>);
BENCHMARK(noise<u8>);
BENCHMARK(noise<float>);
BENCHMARK(histogram<u8>);
BENCHMARK(histogram<float>);
BENCHMARK(histogram_picture<u8>);
BENCHMARK(signal_to_noise<u8>);

}  // namespace

BENCHMARK_MAIN();
