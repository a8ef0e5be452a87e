#include "image/pnm_writer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gxr::image {
namespace {

template <class T>
void write_header(OutputStream& file, kernels::ImageView<const T> picture) {
  const std::string header = std::string(picture.channels == 1 ? "P5\n" : "P6\n") +
                             std::to_string(picture.width) + " " + std::to_string(picture.height) +
                             (sizeof(T) == 1 ? "\n255\n" : "\n65535\n");
  file.write(header.data(), header.size());
}

}  // namespace

void write_pnm(OutputStream& file, kernels::ImageView<const std::uint8_t> picture) {
  write_header(file, picture);
  for (std::int64_t y = 0; y < picture.height; ++y) {
    file.write(picture.row(y), static_cast<std::size_t>(picture.row_elements()));
  }
}

void write_pnm(OutputStream& file, kernels::ImageView<const std::uint16_t> picture) {
  write_header(file, picture);
  const auto count = static_cast<std::size_t>(picture.row_elements());
  std::vector<std::uint8_t> big_endian(2 * count);
  for (std::int64_t y = 0; y < picture.height; ++y) {
    const std::uint16_t* row = picture.row(y);
    for (std::size_t i = 0; i < count; ++i) {
      big_endian[2 * i] = static_cast<std::uint8_t>(row[i] >> 8U);
      big_endian[2 * i + 1] = static_cast<std::uint8_t>(row[i] & 0xffU);
    }
    file.write(big_endian.data(), big_endian.size());
  }
}

}  // namespace gxr::image
