#pragma once

#include <optional>
#include <string>

#include "document/diagnostics.hpp"
#include "document/source.hpp"

namespace gxr {

/// Is standard input among the sources? Then it has been read, to its end.
bool has_standard_input(const SourceMap& sources);

/// The whole file, or standard input for "-", which is there only once. On failure reports
/// FileNotFound or FileUnreadable for a file that is `what` ("app file"), with a new source that
/// has its name, and returns an empty optional.
std::optional<std::string> read_file(const std::string& path, const std::string& what,
                                     SourceMap& sources, Diagnostics& diagnostics);

}  // namespace gxr
