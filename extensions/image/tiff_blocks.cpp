#include "image/tiff_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "image/limits.hpp"

namespace gxr::image {
namespace {

class BlockReader {
 public:
  BlockReader(TIFF* tiff, const TiffLayout& layout, std::byte* first_row, std::ptrdiff_t row_stride)
      : tiff_(tiff), layout_(layout), first_row_(first_row), row_stride_(row_stride) {
    take_block_size();
  }

  bool read() {
    const std::int64_t most = 2 * kMaxPixels;
    if (width_ <= 0 || height_ <= 0 || width_ > most / height_) {
      return false;
    }
    block_.resize(static_cast<std::size_t>(height_ * block_row_bytes()));
    const std::int64_t planes = layout_.planes ? layout_.samples : 1;
    for (std::int64_t plane = 0; plane < planes; ++plane) {
      for (std::int64_t y = 0; y < layout_.height; y += height_) {
        if (!read_row_of_blocks(y, plane)) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  void take_block_size() {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    tiled_ = TIFFIsTiled(tiff_) != 0;
    if (tiled_) {
      TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &width);
      TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &height);
      width_ = width;
      height_ = height;
    } else {
      TIFFGetFieldDefaulted(tiff_, TIFFTAG_ROWSPERSTRIP, &height);
      width_ = layout_.width;
      height_ = std::min<std::int64_t>(height, layout_.height);
    }
  }

  [[nodiscard]] std::int64_t pixel_bytes() const {
    return layout_.sample_bytes * (layout_.planes ? 1 : layout_.samples);
  }
  [[nodiscard]] std::int64_t block_row_bytes() const { return width_ * pixel_bytes(); }

  bool read_row_of_blocks(std::int64_t y, std::int64_t plane) {
    for (std::int64_t x = 0; x < layout_.width; x += width_) {
      if (!read_block(x, y, plane)) {
        return false;
      }
      copy_block(x, y, plane);
    }
    return true;
  }

  bool read_block(std::int64_t x, std::int64_t y, std::int64_t plane) {
    const std::int64_t rows = tiled_ ? height_ : std::min(height_, layout_.height - y);
    const auto size = static_cast<tmsize_t>(rows * block_row_bytes());
    const auto column = static_cast<std::uint32_t>(x);
    const auto row = static_cast<std::uint32_t>(y);
    const auto sample = static_cast<std::uint16_t>(plane);
    if (tiled_) {
      const std::uint32_t tile = TIFFComputeTile(tiff_, column, row, 0, sample);
      return TIFFTileSize(tiff_) == size &&
             TIFFReadEncodedTile(tiff_, tile, block_.data(), size) == size;
    }
    const std::uint32_t strip = TIFFComputeStrip(tiff_, row, sample);
    return TIFFReadEncodedStrip(tiff_, strip, block_.data(), size) == size;
  }

  void copy_block(std::int64_t x, std::int64_t y, std::int64_t plane) const {
    const std::int64_t rows = std::min(height_, layout_.height - y);
    const std::int64_t columns = std::min(width_, layout_.width - x);
    const std::int64_t out_pixel = layout_.samples * layout_.sample_bytes;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::byte* from = block_.data() + row * block_row_bytes();
      std::byte* to = first_row_ + (y + row) * row_stride_ + x * out_pixel;
      if (!layout_.planes) {
        std::memcpy(to, from, static_cast<std::size_t>(columns * out_pixel));
      } else {
        copy_plane(from, to + plane * layout_.sample_bytes, columns, out_pixel);
      }
    }
  }

  void copy_plane(const std::byte* from, std::byte* to, std::int64_t columns,
                  std::int64_t out_pixel) const {
    const auto bytes = static_cast<std::size_t>(layout_.sample_bytes);
    for (std::int64_t i = 0; i < columns; ++i, from += bytes, to += out_pixel) {
      std::memcpy(to, from, bytes);
    }
  }

  TIFF* tiff_;
  const TiffLayout& layout_;
  std::byte* first_row_;
  std::ptrdiff_t row_stride_;
  bool tiled_ = false;
  std::int64_t width_ = 0;   // of a block
  std::int64_t height_ = 0;  // of a block; the last strip may have fewer rows
  std::vector<std::byte> block_;
};

}  // namespace

bool read_tiff_blocks(TIFF* tiff, const TiffLayout& layout, std::byte* first_row,
                      std::ptrdiff_t row_stride) {
  return BlockReader(tiff, layout, first_row, row_stride).read();
}

}  // namespace gxr::image
