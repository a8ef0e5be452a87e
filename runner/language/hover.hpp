#pragma once

#include <string>

#include "language/names.hpp"

namespace gxr::language {

/// What is known of a name, as Markdown; "" when that is nothing.
std::string hover_text(const Name& name, const Analysis& analysis);

}  // namespace gxr::language
