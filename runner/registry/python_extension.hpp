#pragma once

#include <filesystem>

#include "registry/type_catalog.hpp"

namespace gxr {

/// Asks an interpreter, in a process of its own, what a Python file declares, or takes the cached
/// answer. Throws PythonError, Error(NotFound) for a file that does not exist,
/// Error(OutOfMemory), and Interrupted when the host says so.
ExtensionFile read_python_extension(const std::filesystem::path& path);

/// The factories of the types of such a file, in their order, from the host. Throws
/// Error(NotSupported) where there is none, and what the host throws.
std::vector<ComponentFactory> python_factories(const ExtensionFile& file);

}  // namespace gxr
