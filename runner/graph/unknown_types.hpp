#pragma once

#include <cstddef>
#include <map>
#include <string_view>

#include "document/diagnostics.hpp"
#include "graph/suggester.hpp"
#include "gxr/value.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A type that an application names and no extension has.
struct UnknownType {
  std::string_view name;
  Location where;  ///< of its first use
  std::size_t uses = 0;
};
using UnknownTypes = std::map<std::string_view, UnknownType>;

/// Reports each type once, where it is first used. Types of a namespace of which no extension has
/// any are one problem, an extension that is missing, and reported together.
void report_unknown_types(const UnknownTypes& types, const TypeCatalog& catalog,
                          Suggester& suggester, Diagnostics& diagnostics);

}  // namespace gxr
