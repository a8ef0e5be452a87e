#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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

/// A picture file whose header has been read. Most have one picture.
class PictureReader {
 public:
  virtual ~PictureReader() = default;

  [[nodiscard]] virtual const PictureFormat& format() const = 0;
  /// How the picture has to be turned, as EXIF numbers it; see UprightReader.
  [[nodiscard]] virtual int orientation() const { return 1; }
  /// Decodes all rows, `row_stride` bytes apart, into memory aligned for the element type. Once per
  /// picture. Throws Error(InvalidData) that names file and reason.
  virtual void read(void* first_row, std::ptrdiff_t row_stride) = 0;

  /// Is there another picture in the file behind this one?
  [[nodiscard]] virtual bool has_next() const { return false; }
  /// Goes on to it. Precondition: has_next(). Throws as open_picture().
  virtual void next() {}
};

/// Opens a PNG, JPEG, TIFF, PPM or PGM file; its content decides which, not its name. Its pictures
/// are upright. Throws Error: NotFound, InputOutput, InvalidData (damaged), NotSupported (another
/// format), each with file and reason.
std::unique_ptr<PictureReader> open_picture(const std::string& path);
/// The same for a file in memory, which must outlive the result; `name` is for error texts.
std::unique_ptr<PictureReader> open_picture_in(std::span<const std::byte> file, std::string name);

}  // namespace gxr::image
