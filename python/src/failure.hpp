#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "gxr/error.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// The exception of Python as an Error whose text has the traceback. Remembers the exception, which
/// remembered_exception() gives for that text. Python's lock is held.
Error error_of(nb::python_error& exception);

/// The exception whose text a failure has; None when it was too long ago.
nb::object remembered_exception(const std::string& text);

/// Forgets all of them: they hold what their frames held.
void forget_exceptions();

/// Calls a function that runs code of Python, with Python's lock held, and throws Error.
template <class F>
auto calling_python(F&& function) -> decltype(function()) {
  try {
    return function();
  } catch (nb::python_error& exception) {
    throw error_of(exception);
  }
}

}  // namespace gxr::python
