#pragma once

#include <filesystem>
#include <string_view>

#include "gxr/extension_descriptor.hpp"

namespace gxr {

/// The descriptor in the content of a section `.gxr.extension`, checked against this gxr: magic,
/// ABI version, size, SDK version (major and minor), ABI tag. Its texts end in NUL. Throws
/// Error(InvalidData or Incompatible) that names the file, what differs and what to rebuild.
ExtensionDescriptor parse_descriptor(std::string_view section, const std::filesystem::path& file);

/// What every extension must have to be loaded by this gxr, e.g. "x86_64 cxx11=1 sanitize=none".
std::string_view own_abi_tag() noexcept;

}  // namespace gxr
