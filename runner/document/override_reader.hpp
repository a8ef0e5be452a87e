#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "document/arena.hpp"
#include "document/diagnostics.hpp"
#include "document/document.hpp"

namespace gxr {

/// Reads one argument KEY=VALUE, which is the whole text of source `source`. What is wrong goes to
/// `problems`, with positions in the argument.
std::optional<Override> read_override(std::string_view argument, std::uint16_t source, Arena& arena,
                                      std::vector<Diagnostic>& problems);

}  // namespace gxr
