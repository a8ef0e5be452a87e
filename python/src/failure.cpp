#include "failure.hpp"

#include <cstddef>
#include <deque>
#include <utility>

#include <nanobind/stl/string.h>

namespace gxr::python {
namespace {

constexpr std::size_t kRemembered = 16;

struct Remembered {
  std::string text;
  nb::object exception;
};

/// Never destroyed: the interpreter goes first.
std::deque<Remembered>& remembered() {
  static auto* const exceptions = new std::deque<Remembered>;
  return *exceptions;
}

/// gxr._failure.text_of(exception).
std::string text_of(nb::handle exception) {
  try {
    return nb::cast<std::string>(nb::module_::import_("gxr._failure").attr("text_of")(exception));
  } catch (const nb::python_error& error) {
    return error.what();
  }
}

}  // namespace

Error error_of(nb::python_error& exception) {
  const nb::object value = nb::borrow(exception.value());
  std::string text = text_of(value);
  auto& exceptions = remembered();
  if (exceptions.size() == kRemembered) {
    exceptions.pop_front();
  }
  exceptions.push_back({text, value});
  return {ErrorCode::Failure, std::move(text)};
}

nb::object remembered_exception(const std::string& text) {
  for (auto found = remembered().rbegin(); found != remembered().rend(); ++found) {
    if (found->text == text) {
      return found->exception;
    }
  }
  return nb::none();
}

void forget_exceptions() {
  std::deque<Remembered> gone;
  gone.swap(remembered());
}

}  // namespace gxr::python
