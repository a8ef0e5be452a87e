#pragma once

#include <memory>

#include "image/input_file.hpp"
#include "image/picture_reader.hpp"

namespace gxr::image {

/// Reads JPEG by libjpeg: 8 bits, grey and colour, also progressive; not CMYK. Damage that libjpeg
/// only warns of is an error. The orientation is that of EXIF. `file` stands at its beginning.
std::unique_ptr<PictureReader> read_jpeg(InputFile file);

}  // namespace gxr::image
