#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// Grey-world gains of an RGB or RGBA picture: gains[c] = mean(green) / mean(c) for c = red, green,
/// blue, so that green's gain is 1 (G. Buchsbaum: A spatial processor model for object colour
/// perception, 1980). A gain that cannot be formed (a mean that is zero, negative or not finite) is
/// 1. `gains` receives 3 floats. Throws std::invalid_argument unless 3 or 4 channels.
void grey_world_gains(ImageView<const std::uint8_t> image, float* gains);
void grey_world_gains(ImageView<const std::uint16_t> image, float* gains);
void grey_world_gains(ImageView<const float> image, float* gains);

/// The same on a CUDA stream. For float pictures the sum is formed in another order than on the
/// host, always in the same one: gains may differ by 1e-6 of their value.
void grey_world_gains(ImageView<const std::uint8_t> image, float* gains, void* workspace,
                      Stream stream);
void grey_world_gains(ImageView<const std::uint16_t> image, float* gains, void* workspace,
                      Stream stream);
void grey_world_gains(ImageView<const float> image, float* gains, void* workspace, Stream stream);
constexpr std::size_t grey_world_workspace_bytes() { return 512 * 3 * sizeof(double); }

/// out[c] = in[c] * gains[c] for red, green and blue; a fourth channel is copied. Integers are
/// rounded to nearest and clipped; float is not clipped. `gains` holds 3 floats, finite and not
/// negative. In place is allowed (`in` and `out` the same view).
/// Throws std::invalid_argument unless shapes agree and there are 3 or 4 channels, and for bad
/// gains.
template <class T>
void apply_gains(ImageInput<T> in, ImageView<T> out, const float* gains);

/// The same on a CUDA stream; gains that are negative or not finite are not noticed.
template <class T>
void apply_gains(ImageInput<T> in, ImageView<T> out, const float* gains, Stream stream);

}  // namespace gxr::kernels
