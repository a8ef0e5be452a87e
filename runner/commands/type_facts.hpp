#pragma once

#include <string>
#include <vector>

#include "registry/type_catalog.hpp"

/// Facts about types for their descriptions, in all formats.
namespace gxr::commands {

/// The values that a parameter may have; none: any value of its type.
const std::vector<Choice>& choices_of(const ParameterInfo& parameter);
/// "1, reject": a number that has a word may be written by either.
std::string spellings(const Choice& choice);
/// The port that is this parameter, or nullptr.
const PortInfo* port_of(const TypeInfo& type, const std::string& key);
/// The type's base, that one's base, and so on.
std::vector<std::string> bases_of(const TypeCatalog& catalog, const TypeInfo& type);
/// A sentence part about what a type is beside its base: "capturable: …; passes messages on".
std::string kind_of(const TypeInfo& type);
/// The types of an extension by their names, without those that could not be read.
std::vector<const TypeInfo*> sorted_types(const ExtensionFile& file);

}  // namespace gxr::commands
