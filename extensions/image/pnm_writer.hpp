#pragma once

#include "gxr/kernels/image_view.hpp"
#include "image/output_file.hpp"

namespace gxr::image {

/// Writes raw PGM (1 channel) or PPM (3 channels), 8 or 16 bits. Precondition: 1 or 3 channels.
/// Throws Error(InputOutput) that names the file.
void write_pnm(OutputStream& file, kernels::ImageView<const std::uint8_t> picture);
void write_pnm(OutputStream& file, kernels::ImageView<const std::uint16_t> picture);

}  // namespace gxr::image
