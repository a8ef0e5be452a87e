#pragma once

#include <memory>

#include "image/input_file.hpp"
#include "image/picture_reader.hpp"

namespace gxr::image {

/// Reads PGM and PPM, plain (P2, P3) and raw (P5, P6), 8 and 16 bits; samples are scaled from the
/// file's greatest value to the full range of 8 bits (up to 255) or 16 bits. `file` stands at its
/// beginning.
std::unique_ptr<PictureReader> read_pnm(InputFile file);

}  // namespace gxr::image
