#include "photo.hpp"

#include <png.h>

namespace gxr::kernels::testing {
std::optional<Image<std::uint8_t>> load_photo(const std::string& name) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, (GXR_TEST_DATA_DIR "/" + name).c_str()) == 0) {
    return std::nullopt;
  }
  png.format = PNG_FORMAT_RGB;
  Image<std::uint8_t> photo(png.width, png.height, 3);
  const auto stride = static_cast<png_int_32>(photo.view().row_stride);
  if (png_image_finish_read(&png, nullptr, photo.view().data, stride, nullptr) == 0) {
    return std::nullopt;
  }
  return photo;
}

}  // namespace gxr::kernels::testing
