#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/luma.hpp"

/// Colours as brightness and two differences (YUV, exactly Y'CbCr) of 8 bits, and as red, green and
/// blue. A pair of differences is for two columns, and for one or two rows. They come from the mean
/// of these pixels, and go to each of them.

namespace gxr::kernels {

/// Limited: brightness from 16 to 235, differences from 16 to 240. Full: 0 to 255.
enum class YuvRange : std::uint8_t { kLimited, kFull };

struct YuvCoding {
  LumaStandard standard = LumaStandard::kBt709;
  YuvRange range = YuvRange::kLimited;
};

/// How samples of a row follow each other.
enum class YuvLayout : std::uint8_t {
  kPlanes,  ///< three planes (I420)
  kPairs,   ///< a plane of y, one of u and v in turns (NV12)
  kPacked,  ///< y, u, y, v (YUY2)
};

/// A picture in somebody else's memory. `width` of kPacked is even; otherwise an odd last column
/// and, with halved rows, an odd last row have differences of their own.
template <class Byte>
struct YuvView {
  Byte* y = nullptr;
  Byte* u = nullptr;
  Byte* v = nullptr;  ///< kPairs: u + 1; kPacked: y + 3, and u: y + 1
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::ptrdiff_t y_stride = 0;       ///< bytes from a row of y to the next
  std::ptrdiff_t chroma_stride = 0;  ///< the same of u and v
  YuvLayout layout = YuvLayout::kPlanes;
  bool halved_rows = true;  ///< one row of differences for two rows of y

  /// A view that can write is accepted wherever one that reads is asked for.
  operator YuvView<const Byte>() const {  // NOLINT(google-explicit-constructor)
    return {y, u, v, width, height, y_stride, chroma_stride, layout, halved_rows};
  }
};

/// Which way round red, green and blue stand.
enum class ColorOrder : std::uint8_t { kRgb, kBgr };

/// To grey (1 channel, of full range), 3 colours, or 4 with an alpha of 255. Sums with 16 bits
/// behind the point, rounded to nearest and limited to 0..255. Throws std::invalid_argument for
/// other channels, and sizes that differ.
void yuv_to_color(YuvView<const std::uint8_t> in, ImageView<std::uint8_t> out, YuvCoding coding,
                  ColorOrder order);

/// The reverse, of 1, 3 or 4 channels, of which the last does not count.
void color_to_yuv(ImageView<const std::uint8_t> in, YuvView<std::uint8_t> out, YuvCoding coding,
                  ColorOrder order);

/// Another layout of the same values. Where rows are halved, differences are the mean of two rows,
/// rounded up; where they are not halved any more, they are written twice.
void copy_yuv(YuvView<const std::uint8_t> in, YuvView<std::uint8_t> out);

}  // namespace gxr::kernels
