#pragma once

#include "gxr/kernels/bayer.hpp"
#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// From a colour filter array to RGB. `bayer`: H x W x 1, `rgb`: H x W x 3, any size from 1 x 1,
/// T is uint8_t, uint16_t or float. Beyond the border the picture is mirrored without repeating the
/// edge (..., 2, 1, 0, 1, 2, ...), which keeps the phase of the pattern; a side of length 1 repeats
/// its only line. Integer results are rounded half up and clipped to the range of T; float results
/// are not clipped. The sample that the sensor saw is copied unchanged.
/// Throws std::invalid_argument if shapes differ.

namespace gxr::kernels {

/// Bilinear: the mean of the nearest two or four samples of each missing colour.
template <class T>
void demosaic_bilinear(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern);

/// The same on a CUDA stream.
template <class T>
void demosaic_bilinear(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern, Stream stream);

/// Gradient-corrected linear interpolation with 5 x 5 filters (H. S. Malvar, L. He, R. Cutler:
/// High-quality linear interpolation for demosaicing of Bayer-patterned color images, ICASSP 2004).
/// All coefficients are the paper's, in sixteenths and exact.
template <class T>
void demosaic_malvar(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern);

/// The same on a CUDA stream.
template <class T>
void demosaic_malvar(ImageInput<T> bayer, ImageView<T> rgb, BayerPattern pattern, Stream stream);

}  // namespace gxr::kernels
