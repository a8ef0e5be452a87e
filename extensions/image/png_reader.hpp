#pragma once

#include <memory>

#include "image/input_file.hpp"
#include "image/picture_reader.hpp"

namespace gxr::image {

/// Reads PNG by libpng: 1 to 16 bits, grey, RGB, palette, with and without alpha, interlaced. Fewer
/// than 8 bits and palettes are expanded; colour profiles and gamma are not applied. `file` stands
/// at its beginning.
std::unique_ptr<PictureReader> read_png(InputFile file);

}  // namespace gxr::image
