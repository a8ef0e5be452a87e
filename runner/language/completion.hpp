#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "language/outline.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::language {

/// Something that may stand at the cursor.
struct Completion {
  enum class Kind : std::uint8_t { Key, Parameter, Type, Value, Component, Entity };
  Kind kind = Kind::Key;
  std::string label;   ///< also what is looked for and what a list shows
  std::string insert;  ///< what is written in the place of the word
  std::string detail;  ///< one line, may be empty
  std::string text;    ///< more, may be empty
};

/// What may stand at the cursor, in the order in which a list shows it; the editor picks those that
/// go with the word. `others`: documents of the application's other files.
std::vector<Completion> complete(const CursorPlace& place, const std::vector<OutlineNode>& others,
                                 const TypeCatalog& catalog);

}  // namespace gxr::language
