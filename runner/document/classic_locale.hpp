#pragma once

#include <clocale>

#include <locale.h>

namespace gxr {

/// The calling thread works in the locale "C" while this object lives, for calls into libraries
/// that follow the locale of the process. Streams of C++ do not notice.
class ClassicLocale {
 public:
  ClassicLocale() noexcept : own_(::newlocale(LC_ALL_MASK, "C", nullptr)) {
    before_ = own_ != nullptr ? ::uselocale(own_) : nullptr;
  }
  ~ClassicLocale() {
    if (own_ != nullptr) {
      ::uselocale(before_);
      ::freelocale(own_);
    }
  }
  ClassicLocale(const ClassicLocale&) = delete;
  ClassicLocale& operator=(const ClassicLocale&) = delete;

 private:
  locale_t own_;
  locale_t before_;
};

}  // namespace gxr
