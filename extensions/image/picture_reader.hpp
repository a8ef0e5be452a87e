#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gxr/tensor.hpp"

namespace gxr::image {

/// What a picture file holds.
struct PictureFormat {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t channels = 0;              ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
  ElementType type = ElementType::UInt8;  ///< UInt8 or UInt16, full range
};

/// A picture file whose header has been read.
class PictureReader {
 public:
  virtual ~PictureReader() = default;

  [[nodiscard]] virtual const PictureFormat& format() const = 0;
  /// Decodes all rows, `row_stride` bytes apart, into memory aligned for the element type. Once per
  /// reader. Throws Error(InvalidData) that names file and reason.
  virtual void read(void* first_row, std::ptrdiff_t row_stride) = 0;
};

/// Opens a PNG, PPM or PGM file; its content decides which, not its name.
/// Throws Error: NotFound, InputOutput, InvalidData (damaged), NotSupported (another format), each
/// with file and reason.
std::unique_ptr<PictureReader> open_picture(const std::string& path);

}  // namespace gxr::image
