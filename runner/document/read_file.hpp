#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "document/diagnostics.hpp"
#include "document/source.hpp"
#include "gxr/error.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Is standard input among the sources? Then it has been read, to its end.
bool has_standard_input(const SourceMap& sources);

/// What a file may be.
struct FileRules {
  /// No pipe or device, which may never end or make the reader wait.
  bool only_regular = false;
  std::size_t most_bytes = std::size_t{256} << 20U;
};
/// Of a file that is read while an application runs.
inline constexpr FileRules kWatchedFileRules{true, std::size_t{4} << 20U};

/// The whole file, or standard input for "-", which is there only once. On failure reports
/// FileNotFound or FileUnreadable for a file that is `what` ("app file"), with a new source that
/// has its name, and returns an empty optional. Throws Error(OutOfMemory) that names the file.
GXR_INTERNAL_API std::optional<std::string> read_file(const std::string& path,
                                                      const std::string& what,
                                                      const FileRules& rules, SourceMap& sources,
                                                      Diagnostics& diagnostics);
/// What to throw when memory ends while such a file is read.
[[nodiscard]] Error no_memory_for(const std::string& path, const std::string& what);

}  // namespace gxr
