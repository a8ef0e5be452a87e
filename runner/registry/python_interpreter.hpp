#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "internal_api.hpp"

namespace gxr {

/// The interpreter for extensions written in Python: that of the host, else of GXR_PYTHON, of the
/// virtual environment VIRTUAL_ENV, or the first `python3` in the folders of PATH. An absolute
/// path, whose last part may be a symbolic link: that is how an interpreter knows its virtual
/// environment. Throws PythonError when there is none.
GXR_INTERNAL_API std::filesystem::path find_python();

/// Is this the name of an extension written in Python?
bool is_python_file(const std::filesystem::path& file);
/// Can this be the name of a module of a package, "gxr.nn", which an interpreter finds by itself? A
/// file of that name goes first.
bool is_python_module(std::string_view name);

}  // namespace gxr
