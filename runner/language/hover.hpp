#pragma once

#include <string>

#include "language/names.hpp"

namespace gxr::language {

/// A description of the thing that a name means, as Markdown; "" when nothing is known.
std::string hover_text(const Name& name, const Analysis& analysis);

}  // namespace gxr::language
