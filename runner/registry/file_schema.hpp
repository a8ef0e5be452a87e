#pragma once

#include <string>

#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

// JSON Schemas (draft 7) for editors, as text that ends in a line end and depends on nothing but
// the catalog.

/// One YAML document of an application file: entities with the catalog's types and parameters.
GXR_INTERNAL_API std::string app_schema(const TypeCatalog& catalog);
/// A parameter file: `ENTITY/[COMPONENT/]PARAMETER: VALUE`, or a document of a GXF parameter file.
GXR_INTERNAL_API std::string parameters_schema(const TypeCatalog& catalog);
/// A manifest.
GXR_INTERNAL_API std::string manifest_schema();

}  // namespace gxr
