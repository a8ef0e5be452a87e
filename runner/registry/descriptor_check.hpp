#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "gxr/extension_descriptor.hpp"
#include "registry/compatible_sdks.hpp"

namespace gxr {

/// The descriptor in the content of a section `.gxr.extension`, checked against this gxr: magic,
/// version, size, and ABI tag, whose fingerprint of the SDK may also be one of `compatible`. Its
/// texts end in NUL. Throws Error(InvalidData or Incompatible) that names the file, what differs
/// and what to rebuild.
ExtensionDescriptor parse_descriptor(
    std::string_view section, const std::filesystem::path& file,
    std::span<const std::string_view> compatible = kCompatibleSdks);

/// What every extension must have to be loaded by this gxr, e.g.
/// "x86_64 cxx11=1 sanitize=none sdk=0123456789abcdef".
std::string_view own_abi_tag() noexcept;

}  // namespace gxr
