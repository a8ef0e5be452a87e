#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "registry/type_catalog.hpp"

namespace gxr::commands {

/// All that is known of a type, for people: headline, names, bases, ports, parameters with their
/// types, defaults, units, ranges and choices.
std::string describe_type(const TypeCatalog& catalog, const TypeInfo& type);
/// The same as data.
nlohmann::ordered_json describe_type_as_json(const TypeCatalog& catalog, const TypeInfo& type);

/// Its name and version.
std::string title(const ExtensionFile& file);
/// Who an extension is and which types it holds.
std::string describe_extension(const ExtensionFile& file);
nlohmann::ordered_json describe_extension_as_json(const ExtensionFile& file);

}  // namespace gxr::commands
