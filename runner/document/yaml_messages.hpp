#pragma once

#include <yaml-cpp/exceptions.h>

#include "document/diagnostics.hpp"
#include "document/tree_builder.hpp"
#include "document/yaml_source.hpp"

namespace gxr {

/// Messages of exceptions that TreeBuilder throws.
inline constexpr const char* kTextAfterDocument = "text after the end of the document";
inline constexpr const char* kStrangeTag = "tag with characters that tags cannot have";

/// Says in words for people what the parser found, and where.
Diagnostic explain_syntax_error(const YAML::Exception& error, YamlSource& source,
                                const TreeBuilder& builder);
/// The same for a quoted text that never ends, which the parser lets pass.
Diagnostic explain_open_quote(YamlSource& source, std::size_t offset);

}  // namespace gxr
