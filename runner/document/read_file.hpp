#pragma once

#include <optional>
#include <string>

#include "document/diagnostics.hpp"
#include "document/source.hpp"

namespace gxr {

/// The whole file, or standard input for "-". On failure reports FileNotFound or FileUnreadable for
/// a file that is `what` ("app file"), with a new source that has its name, and returns an empty
/// optional.
std::optional<std::string> read_file(const std::string& path, const std::string& what,
                                     SourceMap& sources, Diagnostics& diagnostics);

}  // namespace gxr
