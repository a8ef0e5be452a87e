#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "document/arena.hpp"
#include "document/yaml_cache.hpp"
#include "document/yaml_parse.hpp"

namespace gxr {

/// Trees in the order of the text, with the memory that they live in.
struct ParsedText {
  YamlTrees result;
  std::vector<std::unique_ptr<Arena>> arenas;
};

/// How many threads may help with a text of so many bytes.
unsigned threads_for(std::size_t bytes);

/// Reads all documents of a text, with up to `threads` threads where it is large. The result does
/// not depend on the number of threads. The values refer to `text`, too.
ParsedText parse_documents(std::string_view text, std::uint16_t source, unsigned threads);
/// The same; what the cache knows is not read again.
ParsedText parse_documents(std::string_view text, std::uint16_t source, YamlCache& cache);

}  // namespace gxr
