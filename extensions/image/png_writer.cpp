#include "image/png_writer.hpp"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "gxr/plain_text.hpp"
#include "image/png_call.hpp"

namespace gxr::image {
namespace {

/// libpng's pair of structures for one file.
class PngWriteState {
 public:
  PngWriteState()
      : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, on_png_error,
                                     on_png_warning)),
        info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {}
  ~PngWriteState() { png_destroy_write_struct(&png_, &info_); }
  PngWriteState(const PngWriteState&) = delete;
  PngWriteState& operator=(const PngWriteState&) = delete;

  [[nodiscard]] bool valid() const { return info_ != nullptr; }
  [[nodiscard]] png_structp png() const { return png_; }
  [[nodiscard]] png_infop info() const { return info_; }
  PngFailure& failure() { return failure_; }

 private:
  PngFailure failure_;  // libpng points to it, so it comes first
  png_structp png_;
  png_infop info_;
};

struct PngOutput {
  OutputStream* file;
  PngFailure* failure;
};

void write_bytes(png_structp png, png_bytep data, std::size_t size) {
  const auto* output = static_cast<PngOutput*>(png_get_io_ptr(png));
  if (!output->file->try_write(data, size)) {
    output->failure->reason = system_error_text(errno);
    png_error(png, "write");
  }
}

/// What is buffered is written by OutputFile::commit.
void flush_nothing(png_structp) {}

int color_type(std::int64_t channels) {
  constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                           PNG_COLOR_TYPE_RGB_ALPHA};
  return types[channels - 1];
}

template <class T>
std::vector<png_const_bytep> rows_of(kernels::ImageView<const T> picture) {
  std::vector<png_const_bytep> rows;
  rows.reserve(static_cast<std::size_t>(picture.height));
  for (std::int64_t y = 0; y < picture.height; ++y) {
    rows.push_back(reinterpret_cast<png_const_bytep>(picture.row(y)));
  }
  return rows;
}

template <class T>
void write_header(const PngWriteState& state, kernels::ImageView<const T> picture,
                  int compression) {
  const png_structp png = state.png();
  png_set_compression_level(png, compression);
  png_set_IHDR(png, state.info(), static_cast<png_uint_32>(picture.width),
               static_cast<png_uint_32>(picture.height), 8 * sizeof(T),
               color_type(picture.channels), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, state.info());
  if (sizeof(T) == 2 && std::endian::native == std::endian::little) {
    png_set_swap(png);
  }
}

template <class T>
void write(OutputStream& file, kernels::ImageView<const T> picture, int compression) {
  PngWriteState state;
  if (!state.valid()) {
    throw Error(ErrorCode::OutOfMemory, file.path() + ": libpng could not be started");
  }
  const png_structp png = state.png();
  PngOutput output{&file, &state.failure()};
  const std::vector<png_const_bytep> rows = rows_of(picture);
  const bool written = png_call(png, [&] {
    png_set_write_fn(png, &output, write_bytes, flush_nothing);
    write_header(state, picture, compression);
    for (const png_const_bytep row : rows) {
      png_write_row(png, row);
    }
    png_write_end(png, nullptr);
  });
  if (!written) {
    throw Error(ErrorCode::InputOutput, file.path() + ": cannot write: " + state.failure().text());
  }
}

}  // namespace

void write_png(OutputStream& file, kernels::ImageView<const std::uint8_t> picture,
               int compression) {
  write(file, picture, compression);
}

void write_png(OutputStream& file, kernels::ImageView<const std::uint16_t> picture,
               int compression) {
  write(file, picture, compression);
}

}  // namespace gxr::image
