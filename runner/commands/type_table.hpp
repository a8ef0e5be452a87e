#pragma once

#include <string>
#include <vector>

#include "gxr/type_info.hpp"

namespace gxr::commands {

/// Names and headlines of types, one below the other; bases and data types are marked.
std::string type_table(const std::vector<const TypeInfo*>& types, std::size_t indent);

}  // namespace gxr::commands
