#include "registry/extension_reader.hpp"

#include <new>
#include <string>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "registry/descriptor_check.hpp"
#include "registry/elf_file.hpp"
#include "registry/type_json.hpp"

namespace gxr {
namespace {

[[noreturn]] void no_descriptor(const std::filesystem::path& path, bool program) {
  if (program) {
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) + " is a program, not an extension library");
  }
  throw Error(ErrorCode::InvalidData,
              quote_text(path.string()) +
                  " is a shared library, but not an extension of gxr (it has no section " +
                  kDescriptorSection + "): build it with gxr_add_extension");
}

std::vector<TypeInfo> read_types(const ElfFile& elf, const std::filesystem::path& path) {
  const std::optional<std::string> json = elf.section(kTypesSection);
  if (!json) {
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) + " has no list of its types (section " + kTypesSection +
                    "): was it stripped, or built without gxr_add_extension? Build it again");
  }
  try {
    return types_from_json(*json);
  } catch (const Error& error) {
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) + " has a list of types (section " + kTypesSection +
                    ") that cannot be read: " + error.message() + "; build the extension again");
  }
}

ExtensionDescriptor read_descriptor(const ElfFile& elf, const std::filesystem::path& path) {
  const std::optional<std::string> descriptor = elf.section(kDescriptorSection);
  if (!descriptor) {
    // Programs and shared libraries have the same ELF type today; only programs name an
    // interpreter.
    no_descriptor(path, elf.has_section(".interp"));
  }
  return parse_descriptor(*descriptor, path);
}

ExtensionFile read_sections(const std::filesystem::path& path) {
  const ElfFile elf(path);
  ExtensionFile file;
  file.path = path;
  file.descriptor = read_descriptor(elf, path);
  file.types = read_types(elf, path);
  for (TypeInfo& type : file.types) {
    type.extension = file.descriptor.name;
  }
  return file;
}

}  // namespace

ExtensionDescriptor read_extension_descriptor(const std::filesystem::path& path) {
  return read_descriptor(ElfFile(path), path);
}

ExtensionFile read_extension_file(const std::filesystem::path& path) {
  try {
    return read_sections(path);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory,
                "there is not enough memory to read extension " + quote_text(path.string()));
  }
}

}  // namespace gxr
