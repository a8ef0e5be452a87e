#pragma once

#include <cstddef>
#include <cstdint>

#include <tiffio.h>

namespace gxr::image {

/// How libtiff gives the samples of a page whose samples are whole bytes.
struct TiffLayout {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t samples = 0;       ///< a pixel
  std::int64_t sample_bytes = 0;  ///< 1 or 2
  bool planes = false;            ///< each sample has a picture of its own
};

/// Reads the strips or tiles of a page into rows that lie `row_stride` bytes apart, samples side by
/// side. False when libtiff could not, and has said why, or when a block has another size than the
/// layout says.
bool read_tiff_blocks(TIFF* tiff, const TiffLayout& layout, std::byte* first_row,
                      std::ptrdiff_t row_stride);

}  // namespace gxr::image
