// Linked into a gxr of its own: the process has the locale TEST_LOCALE from the beginning, for C
// and C++, as if a library that it loads had set it.

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>

namespace {

struct SetLocale {
  SetLocale() {
    const char* const name = std::getenv("TEST_LOCALE");
    if (name == nullptr || std::setlocale(LC_ALL, name) == nullptr) {
      std::fprintf(stderr, "set_locale: there is no locale '%s'\n", name == nullptr ? "" : name);
      std::_Exit(125);
    }
    std::locale::global(std::locale(name));
  }
};

const SetLocale set_locale;

}  // namespace
