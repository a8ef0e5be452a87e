#pragma once

#include <csetjmp>
#include <string>

#include <png.h>

namespace gxr::image {

/// Why libpng gave up; filled by its callbacks.
struct PngFailure {
  std::string
      reason;  ///< what a callback says, e.g. that the file ended; goes before libpng's own words
  std::string message;  ///< libpng's error
  std::string warning;  ///< libpng's last warning, which often holds the detail

  [[nodiscard]] std::string text() const {
    if (!reason.empty()) {
      return reason;
    }
    return message + (warning.empty() ? "" : " (" + warning + ")");
  }
};

/// For png_create_*_struct, with a PngFailure as error pointer.
[[noreturn]] inline void on_png_error(png_structp png, png_const_charp message) {
  static_cast<PngFailure*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}
inline void on_png_warning(png_structp png, png_const_charp message) {
  static_cast<PngFailure*>(png_get_error_ptr(png))->warning = message;
}

/// Runs `calls`, which may end by libpng's longjmp; false if they did. The jump skips destructors:
/// `calls` must not have locals that need one, and must not throw.
template <class F>
[[nodiscard]] bool png_call(png_structp png, const F& calls) {
  if (setjmp(png_jmpbuf(png)) != 0) {  // NOLINT(cert-err52-cpp): libpng's way of reporting
    return false;
  }
  calls();
  return true;
}

}  // namespace gxr::image
