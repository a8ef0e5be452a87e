#pragma once

#include <nanobind/nanobind.h>

namespace gxr::python {

namespace nb = nanobind;

/// Adds the loops of a run to the module.
void bind_resident(nb::module_& module);

}  // namespace gxr::python
