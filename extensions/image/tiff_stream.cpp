#include "image/tiff_stream.hpp"

#include <array>
#include <cerrno>
#include <cstdarg>
#include <string_view>

#include "gxr/plain_text.hpp"
#include "image/limits.hpp"

namespace gxr::image {
namespace {

constexpr std::size_t kLongestMessage = 500;
/// A damaged file may ask for any amount. The largest picture has 4 samples of 16 bits a pixel.
constexpr tmsize_t kMostMemory = kMaxPixels * 8;

struct FreeOptions {
  void operator()(TIFFOpenOptions* options) const noexcept { TIFFOpenOptionsFree(options); }
};

TiffStream* stream_of(void* self) { return static_cast<TiffStream*>(self); }

std::string text_of(const char* format, va_list arguments) {
  std::array<char, kLongestMessage> text{};
  static_cast<void>(std::vsnprintf(text.data(), text.size(), format, arguments));
  return text.data();
}

/// Decoders of data without sums go on behind damage, and only warn.
bool is_about_data(std::string_view module) {
  return module == "JPEGLib" || module.starts_with("Fax");
}

int close_nothing(thandle_t) { return 0; }

}  // namespace

TiffStream::TiffStream(std::FILE* stream, const std::string& path, const char* mode)
    : stream_(stream), path_(path) {
  const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  if (options == nullptr) {
    fail("libtiff could not be started");
    return;
  }
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMostMemory);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, this);
  tiff_.reset(TIFFClientOpenExt(path.c_str(), mode, this, read, write, seek, close_nothing, size,
                                nullptr, nullptr, options.get()));
}

tmsize_t TiffStream::read(thandle_t self, void* data, tmsize_t size) {
  TiffStream& stream = *stream_of(self);
  const std::size_t got = std::fread(data, 1, static_cast<std::size_t>(size), stream.stream_);
  if (std::ferror(stream.stream_) != 0) {
    stream.fail(system_error_text(errno));
  }
  return static_cast<tmsize_t>(got);
}

tmsize_t TiffStream::write(thandle_t self, void* data, tmsize_t size) {
  TiffStream& stream = *stream_of(self);
  const std::size_t put = std::fwrite(data, 1, static_cast<std::size_t>(size), stream.stream_);
  if (put != static_cast<std::size_t>(size)) {
    stream.fail(system_error_text(errno));
  }
  return static_cast<tmsize_t>(put);
}

toff_t TiffStream::seek(thandle_t self, toff_t offset, int whence) {
  TiffStream& stream = *stream_of(self);
  // Writes what was buffered, so it is the first to learn of a full disk.
  if (fseeko(stream.stream_, static_cast<off_t>(offset), whence) != 0) {
    stream.fail(system_error_text(errno));
    return static_cast<toff_t>(-1);
  }
  return static_cast<toff_t>(ftello(stream.stream_));
}

toff_t TiffStream::size(thandle_t self) {
  const off_t here = ftello(stream_of(self)->stream_);
  const toff_t end = seek(self, 0, SEEK_END);
  seek(self, static_cast<toff_t>(here), SEEK_SET);
  return end;
}

/// Whoever reports the reason names the file, as libtiff does in some texts.
void TiffStream::fail_without_path(const std::string& text) {
  const std::string beginning = path_ + ": ";
  fail(text.starts_with(beginning) ? text.substr(beginning.size()) : text);
}

int TiffStream::on_error(TIFF*, void* self, const char*, const char* format, va_list arguments) {
  stream_of(self)->fail_without_path(text_of(format, arguments));
  return 1;
}

int TiffStream::on_warning(TIFF*, void* self, const char* module, const char* format,
                           va_list arguments) {
  if (module != nullptr && is_about_data(module)) {
    stream_of(self)->fail_without_path(text_of(format, arguments));
  }
  return 1;
}

}  // namespace gxr::image
