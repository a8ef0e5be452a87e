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

std::string types_section(const ElfFile& elf, const std::filesystem::path& path) {
  std::optional<std::string> json = elf.section(kTypesSection);
  if (!json) {
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) + " has no list of its types (section " + kTypesSection +
                    "): was it stripped, or built without gxr_add_extension? Build it again");
  }
  return *std::move(json);
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

/// Returns the result of `read`. Errors name the file.
template <class Read>
auto read_part(const std::filesystem::path& path, Read read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory,
                "there is not enough memory to read extension " + quote_text(path.string()));
  }
}

/// The same for what reads the section of the types.
template <class Read>
auto read_of_types(const std::filesystem::path& path, Read read) {
  try {
    return read_part(path, read);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::InvalidData) {
      throw;
    }
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) + " has a list of types (section " + kTypesSection +
                    ") that cannot be read: " + error.message() + "; build the extension again");
  }
}

}  // namespace

ExtensionDescriptor read_extension_descriptor(const std::filesystem::path& path) {
  return read_descriptor(ElfFile(path), path);
}

UnreadExtension open_extension_file(const std::filesystem::path& path) {
  return read_part(path, [&path] {
    const ElfFile elf(path);
    UnreadExtension extension;
    extension.file.path = path;
    extension.file.descriptor = read_descriptor(elf, path);
    extension.section = types_section(elf, path);
    return extension;
  });
}

std::vector<TypeInfo> read_types(const ExtensionFile& file, std::string_view section) {
  return read_of_types(file.path, [&file, section] {
    std::vector<TypeInfo> types = types_from_json(section);
    for (TypeInfo& type : types) {
      type.extension = file.descriptor.name;
    }
    return types;
  });
}

TypeInfo read_type(const ExtensionFile& file, std::string_view line) {
  return read_of_types(file.path, [&file, line] {
    TypeInfo type = type_from_json(line);
    type.extension = file.descriptor.name;
    return type;
  });
}

ExtensionFile read_extension_file(const std::filesystem::path& path) {
  auto [file, section] = open_extension_file(path);
  file.types = read_types(file, section);
  return std::move(file);
}

}  // namespace gxr
