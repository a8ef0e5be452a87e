#pragma once

#include <string>

namespace gxr::commands {

/// Lays out a drawing with Graphviz: its program `dot`, else its library libgvc.so.6. `format` is
/// "svg" or "png"; an empty `output` is standard output. Throws Error(NotAvailable) when neither is
/// installed, Error(Failure) when it fails.
void run_graphviz(const std::string& drawing, const std::string& format, const std::string& output);

}  // namespace gxr::commands
