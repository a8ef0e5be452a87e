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
  std::string label;   ///< shown in a list, and compared with the word
  std::string insert;  ///< takes the place of the word
  std::string detail;  ///< one line, may be empty
  std::string text;    ///< more, may be empty
};

/// Proposals for the cursor, in the order in which a list shows them; the editor picks those that
/// match the word. `others`: documents of the application's other files.
std::vector<Completion> complete(const CursorPlace& place, const std::vector<OutlineNode>& others,
                                 const TypeCatalog& catalog);

}  // namespace gxr::language
