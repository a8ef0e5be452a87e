#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "gxr/type_provider.hpp"
#include "operator.hpp"

namespace gxr::python {

/// A provider of the types of a list of declarations, each (class, JSON of its type, ports,
/// converters, defaults, graph traits), as gxr._declaration makes them. Throws Error(InvalidData)
/// with the flaw of one. Adds the classes, which the provider shares, to `classes`.
TypeProvider provider_of(std::string name, const nb::list& declarations,
                         std::vector<std::shared_ptr<ComponentClass>>& classes);

/// The types of such declarations, as the engine reads them from an extension.
std::string types_text(const nb::list& declarations);

/// Lets libgxr.so make components of Python files; `classes_of` gives the declarations of a file's
/// types. Called once.
void host_python(const std::string& interpreter, const nb::object& classes_of);

}  // namespace gxr::python
