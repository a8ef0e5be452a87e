#pragma once

#include <string>

#include "internal_api.hpp"

namespace gxr {

/// Is its program `dot` in a folder of PATH?
[[nodiscard]] GXR_INTERNAL_API bool has_graphviz_program();

/// Lays out a drawing in Graphviz's language, with its program `dot`, else its library
/// libgvc.so.6. `format` is "svg" or "png"; the result is the content of a file of that format.
/// Throws Error(NotAvailable) when neither is installed, Error(Failure) when it fails, which
/// Graphviz explains on standard error, Error(InputOutput) when no temporary file can be made.
GXR_INTERNAL_API std::string run_graphviz(const std::string& drawing, const std::string& format);

}  // namespace gxr
