#include "image/picture_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "image/output_file.hpp"
#include "image/png_writer.hpp"
#include "image/pnm_writer.hpp"

namespace gxr::image {
namespace {

constexpr std::pair<std::string_view, FileFormat> kSuffixes[] = {
    {".png", FileFormat::Png},
    {".pgm", FileFormat::Pgm},
    {".ppm", FileFormat::Ppm},
    {".pnm", FileFormat::Pnm},
};

template <class T>
void write(const std::string& path, FileFormat format, kernels::ImageView<const T> picture,
           int compression) {
  OutputFile file(path);
  if (format == FileFormat::Png) {
    write_png(file, picture, compression);
  } else {
    write_pnm(file, picture);
  }
  file.commit();
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
              path + ": pictures are written as .png, .ppm, .pgm or .pnm");
}

bool holds_channels(FileFormat format, std::int64_t channels) noexcept {
  switch (format) {
    case FileFormat::Png:
      return true;
    case FileFormat::Pgm:
      return channels == 1;
    case FileFormat::Ppm:
      return channels == 3;
    case FileFormat::Pnm:
      return channels == 1 || channels == 3;
  }
  return false;
}

void write_picture(const std::string& path, FileFormat format,
                   kernels::ImageView<const std::uint8_t> picture, int compression) {
  write(path, format, picture, compression);
}

void write_picture(const std::string& path, FileFormat format,
                   kernels::ImageView<const std::uint16_t> picture, int compression) {
  write(path, format, picture, compression);
}

}  // namespace gxr::image
