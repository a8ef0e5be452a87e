#include "image/jpeg_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "gxr/plain_text.hpp"
#include "image/exif.hpp"
#include "image/jpeg_call.hpp"
#include "image/limits.hpp"

namespace gxr::image {
namespace {

constexpr int kExifMarker = JPEG_APP0 + 1;
constexpr unsigned kMostMarkerBytes = 0xffff;
/// Real files have about ten; each costs the time of the whole picture.
constexpr int kMostScans = 500;
#if JPEG_LIB_VERSION < 70
constexpr auto kNoArithmeticCoding = JERR_ARITH_NOTIMPL;
#else  // such as Ubuntu's, which has no message of its own for that
constexpr auto kNoArithmeticCoding = JERR_NOT_COMPILED;
#endif
/// Errors about files that are whole, and of a kind that libjpeg does not read.
constexpr std::array kUnsupported{JERR_BAD_PRECISION, JERR_SOF_UNSUPPORTED, kNoArithmeticCoding,
                                  JERR_NOT_COMPILED, JERR_CONVERSION_NOTIMPL};

void limit_scans(j_common_ptr jpeg) {
  if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > kMostScans) {
    fail_jpeg(jpeg, "too many scans");
  }
}

class JpegReader final : public PictureReader {
 public:
  explicit JpegReader(InputFile file);
  ~JpegReader() override { jpeg_destroy_decompress(&jpeg_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  [[nodiscard]] int orientation() const override { return orientation_; }
  void read(void* first_row, std::ptrdiff_t row_stride) override;

 private:
  void open();
  void take_header();
  void check_colours() const;
  void check_size() const;
  void require(bool success) const;

  InputFile file_;
  JpegFailure failure_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct jpeg_{};  // zeroed, so that it may be destroyed at any time
  PictureFormat format_;
  int orientation_ = 1;
};

JpegReader::JpegReader(InputFile file) : file_(std::move(file)) {
  jpeg_.err = report_jpeg_to(failure_);
  progress_.progress_monitor = limit_scans;
  try {
    open();
  } catch (...) {
    jpeg_destroy_decompress(&jpeg_);
    throw;
  }
}

void JpegReader::open() {
  require(jpeg_call(failure_, [this] {
    jpeg_create_decompress(&jpeg_);
    jpeg_.progress = &progress_;
    jpeg_stdio_src(&jpeg_, file_.stream.get());
    jpeg_save_markers(&jpeg_, kExifMarker, kMostMarkerBytes);
    static_cast<void>(jpeg_read_header(&jpeg_, TRUE));
  }));
  take_header();
}

void JpegReader::require(bool success) const {
  if (success) {
    return;
  }
  if (std::ferror(file_.stream.get()) != 0) {
    file_.fail(system_error_text(errno), ErrorCode::InputOutput);
  }
  if (failure_.code == JWRN_JPEG_EOF) {
    file_.fail("damaged JPEG file: truncated: the file ends inside the picture");
  }
  const bool unsupported =
      std::find(kUnsupported.begin(), kUnsupported.end(), failure_.code) != kUnsupported.end();
  if (unsupported) {
    file_.fail("is a JPEG file that gxr does not read: " + failure_.text() + ": convert it first",
               ErrorCode::NotSupported);
  }
  file_.fail("damaged JPEG file: " + failure_.text());
}

void JpegReader::check_colours() const {
  const J_COLOR_SPACE colours = jpeg_.jpeg_color_space;
  if (colours == JCS_GRAYSCALE || colours == JCS_RGB || colours == JCS_YCbCr) {
    return;
  }
  const bool cmyk = colours == JCS_CMYK || colours == JCS_YCCK;
  file_.fail("is a JPEG file " +
                 (cmyk ? std::string("in CMYK")
                       : "of " + std::to_string(jpeg_.num_components) + " components") +
                 "; gxr reads grey and RGB: convert it first",
             ErrorCode::NotSupported);
}

void JpegReader::check_size() const {
  if (format_.width * format_.height > kMaxPixels) {
    file_.fail("too large: " + std::to_string(format_.width) + " x " +
                   std::to_string(format_.height) + " pixels",
               ErrorCode::NotSupported);
  }
}

void JpegReader::take_header() {
  check_colours();
  const bool grey = jpeg_.jpeg_color_space == JCS_GRAYSCALE;
  jpeg_.out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
  format_ = {static_cast<std::int64_t>(jpeg_.image_width),
             static_cast<std::int64_t>(jpeg_.image_height), grey ? 1 : 3, ElementType::UInt8};
  check_size();
  for (const jpeg_marker_struct* marker = jpeg_.marker_list; marker != nullptr && orientation_ == 1;
       marker = marker->next) {
    orientation_ = exif_orientation({marker->data, marker->data_length});
  }
}

void JpegReader::read(void* first_row, std::ptrdiff_t row_stride) {
  auto* const rows = static_cast<JSAMPLE*>(first_row);
  require(jpeg_call(failure_, [&] {
    static_cast<void>(jpeg_start_decompress(&jpeg_));
    while (jpeg_.output_scanline < jpeg_.output_height) {
      JSAMPROW row = rows + static_cast<std::ptrdiff_t>(jpeg_.output_scanline) * row_stride;
      static_cast<void>(jpeg_read_scanlines(&jpeg_, &row, 1));
    }
    static_cast<void>(jpeg_finish_decompress(&jpeg_));
  }));
}

}  // namespace

std::unique_ptr<PictureReader> read_jpeg(InputFile file) {
  return std::make_unique<JpegReader>(std::move(file));
}

}  // namespace gxr::image
