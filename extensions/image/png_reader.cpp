#include "image/png_reader.hpp"

#include <bit>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "gxr/plain_text.hpp"
#include "image/limits.hpp"
#include "image/png_call.hpp"

namespace gxr::image {
namespace {

/// libpng's pair of structures for one file.
class PngReadState {
 public:
  PngReadState()
      : png_(
            png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, on_png_error, on_png_warning)),
        info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {}
  ~PngReadState() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReadState(const PngReadState&) = delete;
  PngReadState& operator=(const PngReadState&) = delete;

  [[nodiscard]] bool valid() const { return info_ != nullptr; }
  [[nodiscard]] png_structp png() const { return png_; }
  [[nodiscard]] png_infop info() const { return info_; }
  PngFailure& failure() { return failure_; }

 private:
  PngFailure failure_;  // libpng points to it, so it comes first
  png_structp png_;
  png_infop info_;
};

struct PngInput {
  std::FILE* stream;
  PngFailure* failure;
};

void read_bytes(png_structp png, png_bytep data, std::size_t size) {
  const auto* input = static_cast<PngInput*>(png_get_io_ptr(png));
  if (std::fread(data, 1, size, input->stream) == size) {
    return;
  }
  input->failure->reason = std::ferror(input->stream) != 0
                               ? system_error_text(errno)
                               : "truncated: the file ends inside the picture";
  png_error(png, "read");
}

class PngReader final : public PictureReader {
 public:
  explicit PngReader(InputFile file)
      : file_(std::move(file)), input_{file_.stream.get(), &state_.failure()} {
    if (!state_.valid()) {
      file_.fail("libpng could not be started", ErrorCode::OutOfMemory);
    }
    read_header();
  }

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  void read(void* first_row, std::ptrdiff_t row_stride) override;

 private:
  void read_header();
  void expand();
  void check_size() const;
  void require(bool success) {
    if (!success) {
      file_.fail("damaged PNG file: " + state_.failure().text());
    }
  }

  InputFile file_;
  PngReadState state_;
  PngInput input_;
  PictureFormat format_;
};

void PngReader::read_header() {
  const png_structp png = state_.png();
  const png_infop info = state_.info();
  require(png_call(png, [&] {
    png_set_user_limits(png, static_cast<png_uint_32>(kMaxSide),
                        static_cast<png_uint_32>(kMaxSide));
    png_set_read_fn(png, &input_, read_bytes);
    png_read_info(png, info);
    expand();
    png_read_update_info(png, info);
  }));
  format_ = {png_get_image_width(png, info), png_get_image_height(png, info),
             png_get_channels(png, info),
             png_get_bit_depth(png, info) == 16 ? ElementType::UInt16 : ElementType::UInt8};
  check_size();
}

/// Asks libpng for whole samples, native byte order, real colours, and alpha where there is
/// transparency.
void PngReader::expand() {
  const png_structp png = state_.png();
  png_set_expand(png);
  if (std::endian::native == std::endian::little) {
    png_set_swap(png);
  }
  static_cast<void>(png_set_interlace_handling(png));
}

void PngReader::check_size() const {
  if (format_.width * format_.height > kMaxPixels) {
    file_.fail("too large: " + std::to_string(format_.width) + " x " +
                   std::to_string(format_.height) + " pixels",
               ErrorCode::NotSupported);
  }
}

void PngReader::read(void* first_row, std::ptrdiff_t row_stride) {
  std::vector<png_bytep> rows(static_cast<std::size_t>(format_.height));
  auto* row = static_cast<png_bytep>(first_row);
  for (png_bytep& pointer : rows) {
    pointer = row;
    row += row_stride;
  }
  const png_structp png = state_.png();
  require(png_call(png, [&] {
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);
  }));
}

}  // namespace

std::unique_ptr<PictureReader> read_png(InputFile file) {
  return std::make_unique<PngReader>(std::move(file));
}

}  // namespace gxr::image
