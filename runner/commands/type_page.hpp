#pragma once

#include <string>

#include "registry/type_catalog.hpp"

/// Descriptions as Markdown, for a page of a component reference.
namespace gxr::commands {

/// All that is known of a type, under a heading of the first level.
std::string type_page(const TypeInfo& type);
/// An extension and all its types: a table of contents by their kinds (operators, queues, …), then
/// the types, under headings of the second level.
std::string extension_page(const TypeCatalog& catalog, const ExtensionFile& file);

}  // namespace gxr::commands
