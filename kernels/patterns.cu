#include <cmath>

#include "arguments.hpp"
#include "column_program.cuh"
#include "gxr/kernels/patterns.hpp"
#include "pattern_sample.hpp"

namespace gxr::kernels {
namespace {

template <class T>
struct ColorBars {
  T lit;
  std::int64_t width;

  __device__ Run<T, 1> columns(std::int64_t number) const {
    Run<T, 1> run;
#pragma unroll
    for (int i = 0; i < run.kCount; ++i) {
      const std::int64_t element = number * run.kCount + i;
      const std::int64_t bar = element / 3 * 8 / width;
      run.append(i, bar_is_lit(bar, static_cast<int>(element % 3)) ? lit : T{0});
    }
    return run;
  }

  __device__ void row(const Run<T, 1>& columns, std::int64_t, Run<T, 1>& run) const {
    run = columns;
  }
};

/// Cosine and sine of each column's and then each row's phase, in the workspace.
struct PhaseTable {
  float* cosine;
  float* sine;
};

PhaseTable phase_table(void* workspace, std::int64_t width, std::int64_t height) {
  auto* first = static_cast<float*>(workspace);
  return {first, first + width + height};
}

__global__ void phase_kernel(PhaseTable table, std::int64_t width, std::int64_t height,
                             double frame_half_turns) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= width + height) {
    return;
  }
  const std::int64_t longer_side = width > height ? width : height;
  const double half_turns =
      i < width ? axis_half_turns(i, width, longer_side)
                : axis_half_turns(i - width, height, longer_side) - frame_half_turns;
  double sine = 0.0;
  double cosine = 0.0;
  sincospi(half_turns, &sine, &cosine);
  table.cosine[i] = static_cast<float>(cosine);
  table.sine[i] = static_cast<float>(sine);
}

template <class T>
struct ZonePlate {
  static constexpr int kPixels = Run<T, 1>::kCount;

  PhaseTable table;
  std::int64_t width;

  struct Phases {
    float cosine[kPixels];
    float sine[kPixels];
  };

  __device__ Phases columns(std::int64_t run) const {
    Phases phases;
#pragma unroll
    for (int i = 0; i < kPixels; ++i) {
      const std::int64_t x = run * kPixels + i < width ? run * kPixels + i : 0;
      phases.cosine[i] = table.cosine[x];
      phases.sine[i] = table.sine[x];
    }
    return phases;
  }

  __device__ void row(const Phases& phases, std::int64_t y, Run<T, 3>& run) const {
    const float row_cosine = table.cosine[width + y];
    const float row_sine = table.sine[width + y];
#pragma unroll
    for (int i = 0; i < kPixels; ++i) {
      const T value = zone_plate_sample<T>(phases.cosine[i], phases.sine[i], row_cosine, row_sine);
      run.append(3 * i, value);
      run.append(3 * i + 1, value);
      run.append(3 * i + 2, value);
    }
  }
};

/// Of a run: all of its elements share the work on the key of their row.
constexpr int kNoiseChunks = 4;

template <class T>
struct UniformNoise {
  std::uint64_t seed;
  std::uint64_t frame;

  __device__ std::uint32_t columns(std::int64_t run) const {
    return static_cast<std::uint32_t>(run * Run<T, kNoiseChunks>::kCount);
  }

  /// A word of integers is what their sample's 32 random bits are.
  __device__ void row(std::uint32_t first, std::int64_t y, Run<T, kNoiseChunks>& run) const {
    const NoiseKey key = noise_key(seed, frame, static_cast<std::uint64_t>(y));
#pragma unroll
    for (int i = 0; i < 4 * kNoiseChunks; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        run.append(i, uniform_sample<T>(key, first + static_cast<std::uint32_t>(i)));
      } else {
        run.words[i] = noise_bits(key, first / run.kPerWord + static_cast<std::uint32_t>(i));
      }
    }
  }
};

}  // namespace

std::size_t zone_plate_workspace_bytes(std::int64_t width, std::int64_t height) {
  return static_cast<std::size_t>(width + height) * 2 * sizeof(float);
}

template <class T>
void draw_color_bars(ImageView<T> rgb, float level, Stream stream) {
  require_bars(rgb, level);
  require_stream(stream);
  draw_columns<1>("draw_color_bars", rgb, 32, stream, ColorBars<T>{from_unit<T>(level), rgb.width});
}

template <class T>
void draw_zone_plate(ImageView<T> rgb, std::uint64_t frame, double cycles_per_frame,
                     void* workspace, Stream stream) {
  constexpr const char* function = "draw_zone_plate";
  constexpr std::int64_t threads = 128;
  require_plate(rgb, cycles_per_frame);
  require_workspace(workspace);
  require_stream(stream);
  const double cycles = std::fmod(static_cast<double>(frame) * cycles_per_frame, 1.0);
  const PhaseTable table = phase_table(workspace, rgb.width, rgb.height);
  const std::int64_t blocks = (rgb.width + rgb.height + threads - 1) / threads;
  launch(function, {dim3(static_cast<unsigned>(blocks)), dim3(threads)}, stream, phase_kernel,
         table, rgb.width, rgb.height, 2.0 * cycles);
  draw_columns<3>(function, rgb, 32, stream, ZonePlate<T>{table, rgb.width});
}

template <class T>
void draw_noise(ImageView<T> rgb, std::uint64_t seed, std::uint64_t frame, Stream stream) {
  require_channels(rgb, 3, "rgb");
  require_stream(stream);
  draw_columns<kNoiseChunks>("draw_noise", rgb, 1, stream, UniformNoise<T>{seed, frame});
}

template void draw_color_bars(ImageView<std::uint8_t>, float, Stream);
template void draw_color_bars(ImageView<std::uint16_t>, float, Stream);
template void draw_color_bars(ImageView<float>, float, Stream);
template void draw_zone_plate(ImageView<std::uint8_t>, std::uint64_t, double, void*, Stream);
template void draw_zone_plate(ImageView<std::uint16_t>, std::uint64_t, double, void*, Stream);
template void draw_zone_plate(ImageView<float>, std::uint64_t, double, void*, Stream);
template void draw_noise(ImageView<std::uint8_t>, std::uint64_t, std::uint64_t, Stream);
template void draw_noise(ImageView<std::uint16_t>, std::uint64_t, std::uint64_t, Stream);
template void draw_noise(ImageView<float>, std::uint64_t, std::uint64_t, Stream);

}  // namespace gxr::kernels
