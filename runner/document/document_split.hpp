#pragma once

#include <string_view>
#include <vector>

#include "document/yaml_source.hpp"

namespace gxr {

/// Cuts a text at its lines that start with "---": what lies between them is independent.
/// Directives ("%YAML 1.2") go with the document that follows.
std::vector<YamlStretch> split_documents(std::string_view text, std::uint16_t source);

}  // namespace gxr
