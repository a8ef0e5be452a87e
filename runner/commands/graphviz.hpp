#pragma once

#include <string>

namespace gxr::commands {

/// Lays out a drawing with graphviz's program `dot`. `format` is "svg" or "png"; an empty `output`
/// is standard output. Throws Error(NotAvailable) when the program is not installed, Error(Failure)
/// when it fails.
void run_graphviz(const std::string& drawing, const std::string& format, const std::string& output);

}  // namespace gxr::commands
