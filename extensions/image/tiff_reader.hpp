#pragma once

#include <memory>

#include "image/input_file.hpp"
#include "image/picture_reader.hpp"

namespace gxr::image {

/// Reads TIFF by libtiff: each page is a picture. Grey and RGB of 8 and 16 bits, also with alpha,
/// as they are, in strips and tiles, with all compressions that libtiff has; palettes, few bits and
/// other colours, but CMYK, as RGB of 8 bits. `file` stands at its beginning.
std::unique_ptr<PictureReader> read_tiff(InputFile file);

}  // namespace gxr::image
