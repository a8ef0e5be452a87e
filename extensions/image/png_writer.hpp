#pragma once

#include "gxr/kernels/image_view.hpp"
#include "image/output_file.hpp"

namespace gxr::image {

/// Writes 8 or 16 bits, grey, grey and alpha, RGB or RGBA, by libpng. `compression` is zlib's
/// level, 0 to 9. Throws Error(InputOutput) that names the file.
void write_png(OutputStream& file, kernels::ImageView<const std::uint8_t> picture, int compression);
void write_png(OutputStream& file, kernels::ImageView<const std::uint16_t> picture,
               int compression);

}  // namespace gxr::image
