#include "arguments.hpp"
#include "map.cuh"
#include "sensor_sample.hpp"

namespace gxr::kernels {
namespace {

/// What the sensor sees of a run of RGB pixels; runs begin at even columns.
template <class T, bool Noisy>
struct SampleRun {
  BayerPattern pattern;
  SensorNoise noise;

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<T, InChunks>& rgb, Run<T, OutChunks>& bayer,
                             Place place) const {
    const int channels[2] = {bayer_channel(pattern, 0, place.row),
                             bayer_channel(pattern, 1, place.row)};
    const auto key = noise_key(noise.seed, noise.frame, static_cast<std::uint64_t>(place.row));
    const auto first = static_cast<std::uint32_t>(place.run * bayer.kCount);
#pragma unroll
    for (int i = 0; i < bayer.kCount; ++i) {
      const int channel = channels[i % 2];
      const T colors[3] = {rgb.get(3 * i), rgb.get(3 * i + 1), rgb.get(3 * i + 2)};
      const T seen = channel == 0 ? colors[0] : channel == 1 ? colors[1] : colors[2];
      if constexpr (Noisy) {
        bayer.append(i, noisy_sample(seen, noise.sigma, key, first + static_cast<unsigned>(i)));
      } else {
        bayer.append(i, seen);
      }
    }
  }
};

}  // namespace

template <class T>
void mosaic_bayer(ImageInput<T> rgb, ImageView<T> bayer, BayerPattern pattern, SensorNoise noise,
                  Stream stream) {
  require_mosaic<T>(rgb, bayer, noise);
  require_stream(stream);
  if (noise.sigma > 0.0F) {
    map_runs<3, 1>("mosaic_bayer", rgb, bayer, stream, SampleRun<T, true>{pattern, noise});
  } else {
    map_runs<3, 1>("mosaic_bayer", rgb, bayer, stream, SampleRun<T, false>{pattern, noise});
  }
}

template void mosaic_bayer(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, BayerPattern,
                           SensorNoise, Stream);
template void mosaic_bayer(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, BayerPattern,
                           SensorNoise, Stream);
template void mosaic_bayer(ImageView<const float>, ImageView<float>, BayerPattern, SensorNoise,
                           Stream);

}  // namespace gxr::kernels
