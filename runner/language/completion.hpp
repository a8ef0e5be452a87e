#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "language/outline.hpp"
#include "language/outline_graph.hpp"

namespace gxr::language {

/// Something that may stand at the cursor.
struct Completion {
  enum class Kind : std::uint8_t { Key, Parameter, Type, Value, Component, Entity, File };
  Kind kind = Kind::Key;
  std::string label;   ///< shown in a list, and compared with the word
  std::string insert;  ///< takes the place of the word
  std::string detail;  ///< one line, may be empty
  std::string text;    ///< more, may be empty
};

/// Where the cursor is, and what else its names can mean.
struct CompletionRequest {
  const CursorPlace& place;
  std::string path;                 ///< of the file, absolute
  std::vector<OutlineFile> others;  ///< the other files whose entities have their names here
};

/// Proposals for the cursor, in the order in which a list shows them; the editor picks those that
/// match the word.
std::vector<Completion> complete(const CompletionRequest& request, OutlineGraph& graph);

}  // namespace gxr::language
