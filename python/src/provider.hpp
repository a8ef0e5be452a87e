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

/// The types of such declarations, as the engine reads them from an extension.
std::string types_text(const nb::list& declarations);

/// Lets libgxr.so make components of Python files; `classes_of` gives the declarations of a file's
/// types. Called once.
void host_python(const std::string& interpreter, const nb::object& classes_of);

}  // namespace gxr::python
