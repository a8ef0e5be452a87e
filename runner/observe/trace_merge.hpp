#pragma once

#include <string>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

/// Moves the events of the traces of other processes into a trace, where they have the same time
/// line, and removes their files. Returns those of them that are not there, or have another time
/// line. Throws Error(InputOutput) when one cannot be read or written; then the trace is as before,
/// and the files are still there.
GXR_INTERNAL_API std::vector<std::string> merge_traces(const std::string& trace,
                                                       const std::vector<std::string>& others);

}  // namespace gxr
