#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <nanobind/nanobind.h>

#include "gil.hpp"
#include "registry/child_process.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// Raises what a signal handler of Python raised. Python's lock is held.
void look_for_signals();

/// For PythonHost::is_interrupted: has a handler raised something? Kept for the calling thread, on
/// which the engine then throws Interrupted.
bool is_interrupted();
/// What is_interrupted() kept for this thread, and no longer. Python's lock is held.
std::optional<nb::python_error> take_interruption();

/// Calls a function of the engine without Python's lock, which Ctrl-C ends early where it waits for
/// another process. Then what the handler of the signal raised is raised. Python's lock is held.
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
