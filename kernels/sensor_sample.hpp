#pragma once

#include "element.hpp"
#include "gxr/kernels/counter_noise.hpp"

namespace gxr::kernels {

/// A sensor's sample with noise of standard deviation `sigma` (parts of full scale), clipped to the
/// range of T; x is its column. Host and device share this.
template <class T>
GXR_HOST_DEVICE T noisy_sample(T sample, float sigma, NoiseKey key, std::uint32_t x) {
  constexpr float top = full_scale<T>();
  const float signal = static_cast<float>(sample);
  const float noisy = signal + sigma * top * noise_normal(key, x);
  const float above = noisy > 0.0F ? noisy : 0.0F;
  return quantize<T>(above < top ? above : top);
}

}  // namespace gxr::kernels
