#pragma once

#include <filesystem>

namespace gxr {

/// The folder of libgxr.so, with links resolved; empty when the system does not tell. The libraries
/// that belong to it and the installed extensions are found from there.
std::filesystem::path folder_of_own_library();

}  // namespace gxr
