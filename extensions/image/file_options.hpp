#pragma once

#include <cstdint>
#include <utility>

#include "gxr/interface.hpp"

namespace gxr {
namespace image {

enum class TiffCompression : std::uint8_t { None, Lzw, Deflate };

/// How files are written. Each format takes what is about it.
struct FileOptions {
  int compression = 6;  ///< effort of zlib, 0 to 9: PNG, TIFF with Deflate
  int quality = 90;     ///< of JPEG, 1 to 100
  TiffCompression tiff_compression = TiffCompression::Lzw;
};

}  // namespace image

template <>
struct EnumNames<image::TiffCompression> {
  static constexpr std::pair<image::TiffCompression, const char*> values[] = {
      {image::TiffCompression::None, "none"},
      {image::TiffCompression::Lzw, "lzw"},
      {image::TiffCompression::Deflate, "deflate"},
  };
};

}  // namespace gxr
