#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "image/output_file.hpp"

namespace gxr::image {

/// Writes 8 bits, grey or RGB, by libjpeg. `quality` is 1 to 100. Precondition: 1 or 3 channels.
/// Throws Error(InputOutput) that names the file.
void write_jpeg(OutputStream& file, kernels::ImageView<const std::uint8_t> picture, int quality);

}  // namespace gxr::image
