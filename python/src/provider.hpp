#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "gxr/type_provider.hpp"
#include "operator.hpp"

namespace gxr::python {

/// The classes of a list of declarations, each (class, JSON of its type, ports, converters,
/// defaults), as gxr._declaration makes them. Throws Error(InvalidData) with what is wrong with
/// one.
std::vector<std::shared_ptr<const OperatorClass>> read_classes(const nb::list& declarations);

/// A provider that makes their components.
TypeProvider provider_of(std::string name, const nb::list& declarations);

/// Lets libgxr.so make components of Python files: `factories` is gxr._host.classes_of.
void host_python(const std::string& interpreter, nb::object classes_of);

}  // namespace gxr::python
