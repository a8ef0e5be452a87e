#include "image/picture_reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "image/input_file.hpp"
#include "image/jpeg_reader.hpp"
#include "image/png_reader.hpp"
#include "image/pnm_reader.hpp"
#include "image/tiff_reader.hpp"
#include "image/upright_reader.hpp"

namespace gxr::image {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n"sv;
constexpr std::string_view kJpegSignature = "\xff\xd8\xff"sv;
/// The last two are those of BigTIFF.
constexpr std::array kTiffSignatures{"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};

struct ForeignFormat {
  std::string_view signature;
  std::string_view name;
};

/// Formats that people try, to be named in the error.
constexpr std::array kForeignFormats{
    ForeignFormat{"GIF8"sv, "a GIF"},
    ForeignFormat{"BM"sv, "a BMP"},
    ForeignFormat{"RIFF"sv, "a WebP"},
    ForeignFormat{"P1"sv, "a PBM (black and white)"},
    ForeignFormat{"P4"sv, "a PBM (black and white)"},
    ForeignFormat{"P7"sv, "a PAM"},
};

std::string read_beginning(const InputFile& file) {
  std::string beginning(kPngSignature.size(), '\0');
  beginning.resize(std::fread(beginning.data(), 1, beginning.size(), file.stream.get()));
  std::rewind(file.stream.get());
  return beginning;
}

[[noreturn]] void refuse(const InputFile& file, std::string_view beginning) {
  if (beginning.empty()) {
    file.fail("the file is empty");
  }
  for (const ForeignFormat& format : kForeignFormats) {
    if (beginning.starts_with(format.signature)) {
      file.fail("is " + std::string(format.name) +
                    " file; gxr reads PNG, JPEG, TIFF, PPM and PGM: convert it first",
                ErrorCode::NotSupported);
    }
  }
  file.fail("not a picture that gxr reads (PNG, JPEG, TIFF, PPM, PGM)");
}

bool is_pnm(std::string_view beginning) {
  return beginning.size() >= 2 && beginning[0] == 'P' &&
         "2356"sv.find(beginning[1]) != std::string_view::npos;
}

bool is_tiff(std::string_view beginning) {
  return std::any_of(kTiffSignatures.begin(), kTiffSignatures.end(),
                     [&](std::string_view signature) { return beginning.starts_with(signature); });
}

std::unique_ptr<PictureReader> read_picture(InputFile file) {
  const std::string beginning = read_beginning(file);
  if (beginning == kPngSignature) {
    return read_png(std::move(file));
  }
  if (is_pnm(beginning)) {
    return read_pnm(std::move(file));
  }
  if (beginning.starts_with(kJpegSignature)) {
    return std::make_unique<UprightReader>(read_jpeg(std::move(file)));
  }
  if (is_tiff(beginning)) {
    return std::make_unique<UprightReader>(read_tiff(std::move(file)));
  }
  if (!beginning.empty() && kPngSignature.starts_with(beginning)) {
    file.fail("truncated: the file ends inside the picture");
  }
  refuse(file, beginning);
}

}  // namespace

std::unique_ptr<PictureReader> open_picture(const std::string& path) {
  return read_picture(open_file(path));
}

std::unique_ptr<PictureReader> open_picture_in(std::span<const std::byte> file, std::string name) {
  return read_picture(open_memory(file, std::move(name)));
}

}  // namespace gxr::image
