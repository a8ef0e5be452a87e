#include "image/tiff_reader.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "image/limits.hpp"
#include "image/tiff_blocks.hpp"
#include "image/tiff_stream.hpp"

namespace gxr::image {
namespace {

/// The tags of a page.
struct TiffPage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint16_t bits = 1;
  std::uint16_t samples = 1;
  std::uint16_t sample_format = SAMPLEFORMAT_UINT;
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
  std::uint16_t planar = PLANARCONFIG_CONTIG;
  std::uint16_t compression = COMPRESSION_NONE;
  std::uint16_t orientation = ORIENTATION_TOPLEFT;
};

TiffPage page_of(TIFF* tiff) {
  TiffPage page;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page.height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page.bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page.sample_format);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page.photometric);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page.planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &page.compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &page.orientation);
  return page;
}

bool is_grey(const TiffPage& page) {
  return page.photometric == PHOTOMETRIC_MINISBLACK || page.photometric == PHOTOMETRIC_MINISWHITE;
}

/// Are the samples those of a picture of gxr, perhaps inverted?
bool is_direct(const TiffPage& page) {
  const bool whole = page.bits == 8 || page.bits == 16;
  const bool unsigned_integer =
      page.sample_format == SAMPLEFORMAT_UINT || page.sample_format == SAMPLEFORMAT_VOID;
  const bool colours = page.photometric == PHOTOMETRIC_RGB;
  return whole && unsigned_integer && (is_grey(page) || colours) &&
         (is_grey(page) ? page.samples == 1 || page.samples == 2
                        : page.samples == 3 || page.samples == 4);
}

template <class T>
void invert(void* first_row, std::ptrdiff_t row_stride, const PictureFormat& format) {
  auto* row = static_cast<std::byte*>(first_row);
  for (std::int64_t y = 0; y < format.height; ++y, row += row_stride) {
    auto* const samples = reinterpret_cast<T*>(row);
    for (std::int64_t x = 0; x < format.width; ++x) {
      T& grey = samples[x * format.channels];
      grey = static_cast<T>(~grey);
    }
  }
}

class TiffReader final : public PictureReader {
 public:
  explicit TiffReader(InputFile file)
      : file_(std::move(file)), stream_(file_.stream.get(), file_.path, "rm") {
    require(stream_.valid());
    take_page();
  }

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  [[nodiscard]] int orientation() const override {
    const int orientation = page_.orientation;
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  void read(void* first_row, std::ptrdiff_t row_stride) override;
  [[nodiscard]] bool has_next() const override { return TIFFLastDirectory(stream_.get()) == 0; }
  void next() override {
    require(TIFFReadDirectory(stream_.get()) != 0);
    take_page();
  }

 private:
  void take_page();
  void check_size() const;
  void check_kind() const;
  [[noreturn]] void refuse(const std::string& what) const {
    file_.fail("is a TIFF file " + what + ": convert it first", ErrorCode::NotSupported);
  }
  void require(bool success) const {
    if (!success) {
      file_.fail("damaged TIFF file: " +
                 (stream_.failed() ? stream_.reason() : "its strips or tiles have a wrong size"));
    }
  }
  bool read_direct(void* first_row, std::ptrdiff_t row_stride);
  bool read_converted(void* first_row, std::ptrdiff_t row_stride);

  InputFile file_;
  TiffStream stream_;
  TiffPage page_;
  PictureFormat format_;
  bool direct_ = false;
};

void TiffReader::check_size() const {
  if (page_.width == 0 || page_.height == 0) {
    file_.fail("damaged TIFF file: width and height must not be 0");
  }
  if (page_.width > kMaxSide || page_.height > kMaxSide ||
      std::int64_t{page_.width} * page_.height > kMaxPixels) {
    file_.fail("too large: " + std::to_string(page_.width) + " x " + std::to_string(page_.height) +
                   " pixels",
               ErrorCode::NotSupported);
  }
}

void TiffReader::check_kind() const {
  if (TIFFIsCODECConfigured(page_.compression) == 0) {
    refuse("with compression " + std::to_string(page_.compression) +
           ", which this libtiff does not have");
  }
  if (page_.photometric == PHOTOMETRIC_SEPARATED) {
    refuse("in CMYK; gxr reads grey and RGB");
  }
  char reason[1024] = "";
  if (!direct_ && TIFFRGBAImageOK(stream_.get(), reason) == 0) {
    refuse("of " + std::to_string(page_.samples) + " samples of " + std::to_string(page_.bits) +
           " bits that libtiff does not make a picture of (" + reason + ")");
  }
}

void TiffReader::take_page() {
  page_ = page_of(stream_.get());
  check_size();
  if (page_.photometric == PHOTOMETRIC_YCBCR && page_.compression == COMPRESSION_JPEG &&
      page_.planar == PLANARCONFIG_CONTIG) {
    TIFFSetField(stream_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    page_.photometric = PHOTOMETRIC_RGB;
  }
  direct_ = is_direct(page_);
  check_kind();
  format_ = {page_.width, page_.height,
             direct_          ? page_.samples
             : is_grey(page_) ? 1
                              : 3,
             direct_ && page_.bits == 16 ? ElementType::UInt16 : ElementType::UInt8};
}

bool TiffReader::read_direct(void* first_row, std::ptrdiff_t row_stride) {
  const TiffLayout layout{format_.width, format_.height, format_.channels, page_.bits / 8,
                          page_.planar == PLANARCONFIG_SEPARATE};
  if (!read_tiff_blocks(stream_.get(), layout, static_cast<std::byte*>(first_row), row_stride)) {
    return false;
  }
  if (page_.photometric == PHOTOMETRIC_MINISWHITE) {
    page_.bits == 16 ? invert<std::uint16_t>(first_row, row_stride, format_)
                     : invert<std::uint8_t>(first_row, row_stride, format_);
  }
  return true;
}

/// libtiff makes RGBA of 8 bits from what it can.
bool TiffReader::read_converted(void* first_row, std::ptrdiff_t row_stride) {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(format_.width * format_.height));
  if (TIFFReadRGBAImageOriented(stream_.get(), page_.width, page_.height, pixels.data(),
                                orientation(), 1) == 0) {
    return false;
  }
  auto* row = static_cast<std::uint8_t*>(first_row);
  const std::uint32_t* pixel = pixels.data();
  for (std::int64_t y = 0; y < format_.height; ++y, row += row_stride) {
    std::uint8_t* sample = row;
    for (std::int64_t x = 0; x < format_.width; ++x, ++pixel) {
      for (std::int64_t c = 0; c < format_.channels; ++c) {
        *sample++ = static_cast<std::uint8_t>(*pixel >> (8 * c));
      }
    }
  }
  return true;
}

void TiffReader::read(void* first_row, std::ptrdiff_t row_stride) {
  const bool read =
      direct_ ? read_direct(first_row, row_stride) : read_converted(first_row, row_stride);
  require(read && !stream_.failed());
}

}  // namespace

std::unique_ptr<PictureReader> read_tiff(InputFile file) {
  return std::make_unique<TiffReader>(std::move(file));
}

}  // namespace gxr::image
