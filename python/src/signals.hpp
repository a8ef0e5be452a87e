#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <nanobind/nanobind.h>

#include "gil.hpp"
#include "registry/child_process.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// Raises the exception of a signal handler of Python, if there is one. Python's lock is held.
void look_for_signals();

/// For PythonHost::is_interrupted: has a handler raised something? Kept for the calling thread, on
/// which the engine then throws Interrupted.
bool is_interrupted();
/// The exception that is_interrupted() has kept for this thread, which keeps it no longer. Python's
/// lock is held.
std::optional<nb::python_error> take_interruption();

/// Calls a function of the engine without Python's lock. Ctrl-C ends the call early where it waits
/// for another process; then the exception of the signal's handler is raised. Python's lock is
/// held.
template <class F>
auto interruptible(F&& function) {
  using Result = std::invoke_result_t<F>;
  try {
    const WithoutGil without;
    return Result(std::forward<F>(function)());
  } catch (const Interrupted&) {
    if (std::optional<nb::python_error> raised = take_interruption()) {
      throw nb::python_error(*std::move(raised));
    }
    throw;
  }
}

}  // namespace gxr::python
