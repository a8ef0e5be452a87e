#include "image/picture_writer.hpp"

#include <filesystem>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "image/jpeg_writer.hpp"
#include "image/png_writer.hpp"
#include "image/pnm_writer.hpp"
#include "image/tiff_writer.hpp"

namespace gxr::image {
namespace {

constexpr std::pair<std::string_view, FileFormat> kSuffixes[] = {
    {".png", FileFormat::Png},  {".jpg", FileFormat::Jpeg},  {".jpeg", FileFormat::Jpeg},
    {".tif", FileFormat::Tiff}, {".tiff", FileFormat::Tiff}, {".pgm", FileFormat::Pgm},
    {".ppm", FileFormat::Ppm},  {".pnm", FileFormat::Pnm},
};

template <class T>
void write(OutputFile& file, FileFormat format, kernels::ImageView<const T> picture,
           const FileOptions& options) {
  switch (format) {
    case FileFormat::Png:
      return write_png(file, picture, options.compression);
    case FileFormat::Tiff:
      return TiffWriter(file).add(picture, options);
    case FileFormat::Jpeg:
      if constexpr (std::is_same_v<T, std::uint8_t>) {
        write_jpeg(file, picture, options.quality);
      }
      return;
    default:
      return write_pnm(file, picture);
  }
}

}  // namespace

FileFormat format_of_path(const std::string& path) {
  const std::string suffix = lower_case(std::filesystem::path(path).extension().string());
  for (const auto& [name, format] : kSuffixes) {
    if (suffix == name) {
      return format;
    }
  }
  throw Error(ErrorCode::InvalidParameter,
              path + ": pictures are written as .png, .jpg, .tif, .ppm, .pgm or .pnm");
}

bool holds_channels(FileFormat format, std::int64_t channels) noexcept {
  switch (format) {
    case FileFormat::Png:
    case FileFormat::Tiff:
      return true;
    case FileFormat::Pgm:
      return channels == 1;
    case FileFormat::Ppm:
      return channels == 3;
    case FileFormat::Jpeg:
    case FileFormat::Pnm:
      return channels == 1 || channels == 3;
  }
  return false;
}

bool holds_16_bits(FileFormat format) noexcept { return format != FileFormat::Jpeg; }

void write_picture(OutputFile& file, FileFormat format,
                   kernels::ImageView<const std::uint8_t> picture, const FileOptions& options) {
  write(file, format, picture, options);
}

void write_picture(OutputFile& file, FileFormat format,
                   kernels::ImageView<const std::uint16_t> picture, const FileOptions& options) {
  write(file, format, picture, options);
}

}  // namespace gxr::image
