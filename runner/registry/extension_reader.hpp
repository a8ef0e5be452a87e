#pragma once

#include <filesystem>

#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Reads who an extension is and what types it holds from its sections; runs none of its code.
/// Throws Error(NotFound, InputOutput, InvalidData or Incompatible) whose text names the file, what
/// is wrong with it and what to do.
GXR_INTERNAL_API ExtensionFile read_extension_file(const std::filesystem::path& path);

/// Who an extension is, which may not have a list of its types yet.
ExtensionDescriptor read_extension_descriptor(const std::filesystem::path& path);

}  // namespace gxr
