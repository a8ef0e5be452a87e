#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gxr {

/// The non-empty items of a colon-separated list of paths, as in PATH.
std::vector<std::string> split_path_list(std::string_view list);
/// The same of an environment variable; empty when it is not set.
std::vector<std::string> path_list_of(const char* variable);

// Where a library may lie that was named in one of the ways below, in the order in which to try. A
// name without ".so" is also tried with it.

/// -x: a path, or a bare name in the current folder and in the folders of GXR_EXTENSION_PATH.
std::vector<std::filesystem::path> places_of_argument(const std::string& name);
/// In the `extensions:` list of an app file: relative to that file, then as an argument.
std::vector<std::filesystem::path> places_of_app_entry(const std::string& name,
                                                       const std::filesystem::path& app_file);
/// In a manifest: as given, relative to the manifest, then the last part of the path in the folders
/// of LD_LIBRARY_PATH (as GXF does) and GXR_EXTENSION_PATH.
std::vector<std::filesystem::path> places_of_manifest_entry(const std::string& name,
                                                            const std::filesystem::path& manifest);

/// The first place where a file is, else the first where a folder is; empty when there is neither.
std::filesystem::path first_found(const std::vector<std::filesystem::path>& places);

/// Is this a library of GXF itself ("gxf/std/libgxf_std.so")? gxr has types of its own in their
/// place.
bool is_gxf_library(const std::string& name);

}  // namespace gxr
