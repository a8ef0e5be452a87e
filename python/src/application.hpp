#pragma once

#include <nanobind/nanobind.h>

namespace gxr::python {

namespace nb = nanobind;

/// Adds Application, Input and Tap to the module.
void bind_application(nb::module_& module);

}  // namespace gxr::python
