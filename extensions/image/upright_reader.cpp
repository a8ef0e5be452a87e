#include "image/upright_reader.hpp"

#include <cstring>
#include <utility>

namespace gxr::image {
namespace {

constexpr int kUpright = 1;
constexpr int kFirstExchanged = 5;  // from here on, rows are columns

/// The way through the upright picture that follows the stored rows, in bytes.
struct Way {
  std::ptrdiff_t begin;  ///< of the first stored pixel
  std::ptrdiff_t right;  ///< to the next pixel of a stored row
  std::ptrdiff_t down;   ///< to the next stored row
};

Way way_through(int orientation, const PictureFormat& stored, std::ptrdiff_t pixel,
                std::ptrdiff_t row) {
  const std::ptrdiff_t x = stored.width - 1;
  const std::ptrdiff_t y = stored.height - 1;
  switch (orientation) {
    case 2:
      return {x * pixel, -pixel, row};
    case 3:
      return {x * pixel + y * row, -pixel, -row};
    case 4:
      return {y * row, pixel, -row};
    case 5:
      return {0, row, pixel};
    case 6:
      return {y * pixel, row, -pixel};
    case 7:
      return {x * row + y * pixel, -row, -pixel};
    case 8:
      return {x * row, -row, pixel};
    default:
      return {0, pixel, row};
  }
}

template <std::size_t kBytes>
void copy_pixels(const std::byte* from, const PictureFormat& stored, std::byte* to,
                 const Way& way) {
  for (std::int64_t y = 0; y < stored.height; ++y) {
    std::byte* pixel = to + way.begin + y * way.down;
    for (std::int64_t x = 0; x < stored.width; ++x, pixel += way.right, from += kBytes) {
      std::memcpy(pixel, from, kBytes);
    }
  }
}

void copy_pixels(std::size_t bytes, const std::byte* from, const PictureFormat& stored,
                 std::byte* to, const Way& way) {
  switch (bytes) {
    case 1:
      return copy_pixels<1>(from, stored, to, way);
    case 2:
      return copy_pixels<2>(from, stored, to, way);
    case 3:
      return copy_pixels<3>(from, stored, to, way);
    case 4:
      return copy_pixels<4>(from, stored, to, way);
    case 6:
      return copy_pixels<6>(from, stored, to, way);
    default:
      return copy_pixels<8>(from, stored, to, way);
  }
}

}  // namespace

UprightReader::UprightReader(std::unique_ptr<PictureReader> stored) : stored_(std::move(stored)) {
  take_format();
}

void UprightReader::take_format() {
  format_ = stored_->format();
  if (stored_->orientation() >= kFirstExchanged) {
    std::swap(format_.width, format_.height);
  }
}

void UprightReader::next() {
  stored_->next();
  take_format();
}

void UprightReader::read(void* first_row, std::ptrdiff_t row_stride) {
  if (stored_->orientation() == kUpright) {
    return stored_->read(first_row, row_stride);
  }
  const PictureFormat& stored = stored_->format();
  const std::size_t pixel = static_cast<std::size_t>(stored.channels) * size_of(stored.type);
  const std::size_t row = static_cast<std::size_t>(stored.width) * pixel;
  scratch_.resize(row * static_cast<std::size_t>(stored.height));
  stored_->read(scratch_.data(), static_cast<std::ptrdiff_t>(row));
  copy_pixels(
      pixel, scratch_.data(), stored, static_cast<std::byte*>(first_row),
      way_through(stored_->orientation(), stored, static_cast<std::ptrdiff_t>(pixel), row_stride));
}

}  // namespace gxr::image
