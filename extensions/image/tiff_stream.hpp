#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include <tiffio.h>

namespace gxr::image {

/// libtiff on an open stream, and what it says.
class TiffStream {
 public:
  /// `mode` is "r" or "w". `stream` must outlive this. Check valid().
  TiffStream(std::FILE* stream, const std::string& path, const char* mode);
  TiffStream(const TiffStream&) = delete;
  TiffStream& operator=(const TiffStream&) = delete;

  [[nodiscard]] bool valid() const noexcept { return tiff_ != nullptr; }
  [[nodiscard]] TIFF* get() const noexcept { return tiff_.get(); }

  /// Has libtiff reported an error, or damage inside compressed data, which it goes over?
  [[nodiscard]] bool failed() const noexcept { return !reason_.empty(); }
  /// The first one, or the system's words where the stream failed.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  void fail(const std::string& reason) { reason_ = reason_.empty() ? reason : reason_; }

 private:
  struct Close {
    void operator()(TIFF* tiff) const noexcept { TIFFClose(tiff); }
  };

  static tmsize_t read(thandle_t self, void* data, tmsize_t size);
  static tmsize_t write(thandle_t self, void* data, tmsize_t size);
  static toff_t seek(thandle_t self, toff_t offset, int whence);
  static toff_t size(thandle_t self);
  static int on_error(TIFF* tiff, void* self, const char* module, const char* format,
                      va_list arguments);
  static int on_warning(TIFF* tiff, void* self, const char* module, const char* format,
                        va_list arguments);

  void fail_without_path(const std::string& text);

  std::FILE* stream_;
  std::string path_;
  std::string reason_;
  std::unique_ptr<TIFF, Close> tiff_;  // last: uses the members above
};

}  // namespace gxr::image
