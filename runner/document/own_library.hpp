#pragma once

#include <filesystem>

namespace gxr {

/// The folder of libgxr.so, with links resolved; empty when the system does not tell. The libraries
/// that belong to it and the installed extensions are found from there.
const std::filesystem::path& folder_of_own_library();

/// The library of that name that libgxr.so opens: in the folder gxr/ beside it, as in an
/// installation, else beside it, as in a build folder. It need not exist.
std::filesystem::path library_of_own(const char* name);

}  // namespace gxr
