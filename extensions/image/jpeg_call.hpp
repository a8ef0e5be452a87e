#pragma once

#include <csetjmp>
#include <cstdio>
#include <string>

#include <jpeglib.h>
// Wants the header above.
#include <jerror.h>

namespace gxr::image {

/// libjpeg's way of reporting, and why it gave up. libjpeg points to it, so it stays where it is.
struct JpegFailure {
  jpeg_error_mgr manager{};  // first: libjpeg hands back a pointer to it
  std::jmp_buf jump{};
  int code = 0;         ///< of jerror.h
  std::string reason;   ///< what a callback says; goes before libjpeg's own words
  std::string message;  ///< libjpeg's error

  [[nodiscard]] const std::string& text() const { return reason.empty() ? message : reason; }
};

[[noreturn]] inline void on_jpeg_error(j_common_ptr jpeg) {
  auto* failure = reinterpret_cast<JpegFailure*>(jpeg->err);
  char text[JMSG_LENGTH_MAX];
  failure->manager.format_message(jpeg, text);
  failure->message = text;
  failure->code = failure->manager.msg_code;
  std::longjmp(failure->jump, 1);
}

/// Ends the call with `reason`.
[[noreturn]] inline void fail_jpeg(j_common_ptr jpeg, const char* reason) {
  reinterpret_cast<JpegFailure*>(jpeg->err)->reason = reason;
  on_jpeg_error(jpeg);
}

/// Makes `failure` the way of reporting of a structure. A warning says that data is damaged, which
/// libjpeg would replace by grey; here it ends the call, but for two about headers.
inline jpeg_error_mgr* report_jpeg_to(JpegFailure& failure) {
  jpeg_std_error(&failure.manager);
  failure.manager.error_exit = on_jpeg_error;
  failure.manager.emit_message = [](j_common_ptr jpeg, int level) {
    const int code = jpeg->err->msg_code;
    if (level < 0 && code != JWRN_JFIF_MAJOR && code != JWRN_ADOBE_XFORM) {
      on_jpeg_error(jpeg);
    }
  };
  return &failure.manager;
}

/// Runs `calls`, which may end by a longjmp; false if they did. The jump skips destructors: `calls`
/// must not have locals that need one, and must not throw.
template <class F>
[[nodiscard]] bool jpeg_call(JpegFailure& failure, const F& calls) {
  if (setjmp(failure.jump) != 0) {  // NOLINT(cert-err52-cpp): the only way out of libjpeg
    return false;
  }
  calls();
  return true;
}

}  // namespace gxr::image
