#include "gxr/kernels/bayer.hpp"

#include "arguments.hpp"
#include "sensor_sample.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void sample_row(const T* rgb, T* bayer, std::int64_t width, int even_channel, int odd_channel) {
  for (std::int64_t x = 0; x + 1 < width; x += 2) {
    bayer[x] = rgb[3 * x + even_channel];
    bayer[x + 1] = rgb[3 * x + 3 + odd_channel];
  }
  if (width % 2 != 0) {
    bayer[width - 1] = rgb[3 * (width - 1) + even_channel];
  }
}

template <class T>
void add_noise(T* row, std::uint32_t width, NoiseKey key, float sigma) {
  for (std::uint32_t x = 0; x < width; ++x) {
    row[x] = noisy_sample(row[x], sigma, key, x);
  }
}

}  // namespace

template <class T>
void mosaic_bayer(ImageInput<T> rgb, ImageView<T> bayer, BayerPattern pattern, SensorNoise noise) {
  require_mosaic<T>(rgb, bayer, noise);
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    sample_row(rgb.row(y), bayer.row(y), rgb.width, bayer_channel(pattern, 0, y),
               bayer_channel(pattern, 1, y));
    if (noise.sigma > 0.0F) {
      const NoiseKey key = noise_key(noise.seed, noise.frame, static_cast<std::uint64_t>(y));
      run_vectorized<&add_noise<T>>(bayer.row(y), static_cast<std::uint32_t>(rgb.width), key,
                                    noise.sigma);
    }
  }
}

template void mosaic_bayer(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, BayerPattern,
                           SensorNoise);
template void mosaic_bayer(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, BayerPattern,
                           SensorNoise);
template void mosaic_bayer(ImageView<const float>, ImageView<float>, BayerPattern, SensorNoise);

}  // namespace gxr::kernels
