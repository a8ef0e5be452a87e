#include "image/exif.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gxr::image {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t kOrientation = 0x0112;
constexpr std::uint32_t kShort = 3;
constexpr std::size_t kEntryBytes = 12;

/// The TIFF structure inside EXIF. What lies beyond its end reads as 0.
class ExifBytes {
 public:
  explicit ExifBytes(std::span<const std::uint8_t> bytes) noexcept
      : bytes_(bytes), big_endian_(!bytes.empty() && bytes[0] == 'M') {}

  [[nodiscard]] std::uint32_t number(std::size_t offset, std::size_t width) const noexcept {
    if (offset > bytes_.size() || bytes_.size() - offset < width) {
      return 0;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t place = big_endian_ ? i : width - 1 - i;
      value = value << 8U | bytes_[offset + place];
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_endian_;
};

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view text) noexcept {
  return bytes.size() >= text.size() &&
         std::equal(text.begin(), text.end(), bytes.begin(), [](char expected, std::uint8_t found) {
           return static_cast<std::uint8_t>(expected) == found;
         });
}

std::uint32_t stored_orientation(const ExifBytes& exif) noexcept {
  const std::size_t directory = exif.number(4, 4);
  const std::uint32_t entries = exif.number(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * kEntryBytes;
    if (exif.number(entry, 2) == kOrientation && exif.number(entry + 2, 2) == kShort) {
      return exif.number(entry + 8, 2);
    }
  }
  return 0;
}

}  // namespace

int exif_orientation(std::span<const std::uint8_t> segment) noexcept {
  constexpr std::string_view kName = "Exif\0\0"sv;
  if (!starts_with(segment, kName)) {
    return 1;
  }
  const auto tiff = segment.subspan(kName.size());
  if (!starts_with(tiff, "II*\0"sv) && !starts_with(tiff, "MM\0*"sv)) {
    return 1;
  }
  const std::uint32_t orientation = stored_orientation(ExifBytes(tiff));
  return orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation) : 1;
}

}  // namespace gxr::image
