#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Reads who an extension is and what types it holds from its sections; runs none of its code. Of
/// a file in Python, see read_python_extension().
/// Throws Error(NotFound, InputOutput, InvalidData or Incompatible) whose text names the file, what
/// is wrong with it and what to do.
GXR_INTERNAL_API ExtensionFile read_extension_file(const std::filesystem::path& path);

/// The same in steps: an extension without its types, and the section that holds them.
struct UnreadExtension {
  ExtensionFile file;
  std::string section;
};
/// Throws like read_extension_file(), but not for what the section of the types says.
UnreadExtension open_extension_file(const std::filesystem::path& path);
/// The types of the section, and that of one of its lines_of_types(). Throw like
/// read_extension_file().
std::vector<TypeInfo> read_types(const ExtensionFile& file, std::string_view section);
TypeInfo read_type(const ExtensionFile& file, std::string_view line);
/// What is wrong with a section of which read_type() could not read every line: names the file and
/// the line, and says how many types can be read.
std::string flaw_of_lines(const ExtensionFile& file, std::string_view section);

/// Was the file built as an extension of gxr, whatever else is wrong with it?
bool is_extension_file(const std::filesystem::path& path);
/// Who an extension is, which may not have a list of its types yet.
ExtensionDescriptor read_extension_descriptor(const std::filesystem::path& path);

}  // namespace gxr
