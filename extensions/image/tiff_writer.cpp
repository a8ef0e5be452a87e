#include "image/tiff_writer.hpp"

#include <cstring>
#include <limits>

#include "gxr/error.hpp"

namespace gxr::image {
namespace {

/// Beside the samples: tags, places of strips, and what compression may add to noise.
constexpr std::int64_t kPageOverhead = 1 << 20;

std::uint16_t code_of(TiffCompression compression) {
  switch (compression) {
    case TiffCompression::Lzw:
      return COMPRESSION_LZW;
    case TiffCompression::Deflate:
      return COMPRESSION_ADOBE_DEFLATE;
    case TiffCompression::None:
      break;
  }
  return COMPRESSION_NONE;
}

}  // namespace

TiffWriter::TiffWriter(OutputFile& file) : file_(file), stream_(file.stream(), file.path(), "w") {
  if (!stream_.valid()) {
    fail();
  }
}

void TiffWriter::fail() const {
  throw Error(ErrorCode::InputOutput, file_.path() + ": cannot write: " + stream_.reason());
}

void TiffWriter::check_room(std::int64_t bytes) const {
  std::fseek(file_.stream(), 0, SEEK_END);
  const std::int64_t needed = std::ftell(file_.stream()) + bytes + bytes / 4 + kPageOverhead;
  if (needed > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::OutOfRange,
                file_.path() +
                    ": the next page may not fit: a TIFF file has at most 4 GiB; give 'path' a "
                    "place for a number, for example frame-%04d.tif");
  }
}

template <class T>
void TiffWriter::set_tags(kernels::ImageView<const T> page, const FileOptions& options) {
  TIFF* const tiff = stream_.get();
  const bool grey = page.channels <= 2;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(page.width));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(page.height));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * sizeof(T)));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<int>(page.channels));
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, grey ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  if (page.channels % 2 == 0) {
    const std::uint16_t alpha[] = {EXTRASAMPLE_UNASSALPHA};
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, alpha);
  }
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, code_of(options.tiff_compression));
  if (options.tiff_compression != TiffCompression::None) {
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
  }
  if (options.tiff_compression == TiffCompression::Deflate) {
    TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, options.compression);
  }
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
}

template <class T>
bool TiffWriter::write_page(kernels::ImageView<const T> page, const FileOptions& options) {
  set_tags(page, options);
  row_.resize(static_cast<std::size_t>(page.row_elements()) * sizeof(T));
  for (std::int64_t y = 0; y < page.height; ++y) {
    std::memcpy(row_.data(), page.row(y), row_.size());
    if (TIFFWriteScanline(stream_.get(), row_.data(), static_cast<std::uint32_t>(y), 0) != 1) {
      return false;
    }
  }
  return TIFFWriteDirectory(stream_.get()) == 1;
}

template <class T>
void TiffWriter::add_page(kernels::ImageView<const T> page, const FileOptions& options) {
  if (!write_page(page, options) || stream_.failed()) {
    fail();
  }
}

void TiffWriter::add(kernels::ImageView<const std::uint8_t> page, const FileOptions& options) {
  add_page(page, options);
}

void TiffWriter::add(kernels::ImageView<const std::uint16_t> page, const FileOptions& options) {
  add_page(page, options);
}

}  // namespace gxr::image
