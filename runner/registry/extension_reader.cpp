#include "registry/extension_reader.hpp"

#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "registry/descriptor_check.hpp"
#include "registry/elf_file.hpp"
#include "registry/python_extension.hpp"
#include "registry/python_interpreter.hpp"
#include "registry/type_json.hpp"

namespace gxr {
namespace {

/// Has it the function by which GXF loads an extension?
bool has_gxf_factory(const ElfFile& elf) {
  constexpr std::string_view kFactory("\0GxfExtensionFactory\0", 21);
  const std::optional<std::string> names = elf.section(".dynstr");
  return names && names->find(kFactory) != std::string::npos;
}

/// Programs and shared libraries have the same ELF type today; only programs name an interpreter.
[[noreturn]] void no_descriptor(const ElfFile& elf, const std::filesystem::path& path) {
  if (elf.has_section(".interp")) {
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) + " is a program, not an extension library");
  }
  if (has_gxf_factory(elf)) {
    throw Error(ErrorCode::InvalidData,
                quote_text(path.string()) +
                    " was built for NVIDIA's GXF (it has GxfExtensionFactory(), but no section " +
                    kDescriptorSection +
                    "): build its sources again with gxr_add_gxf_extension or gxr's GXF package");
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
    no_descriptor(elf, path);
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

std::string flaw_of_section(const ExtensionFile& file, const std::string& reason,
                            const std::string& types_read) {
  return quote_text(file.path.string()) + " has a list of types (section " + kTypesSection +
         ") that cannot be read: " + reason + "; " + types_read + "; build the extension again";
}

/// What a parser says of a text that is one line of a section: its number would be another one's.
std::string reason_in_line(std::string text) {
  constexpr std::string_view kLine = "at line 1, ";
  if (const std::size_t place = text.find(kLine); place != std::string::npos) {
    text.replace(place, kLine.size(), "at ");
  }
  return text;
}

/// The lines of a section, each with a type, that cannot be read.
struct BrokenLines {
  std::string reason;     // of the first, with its number; empty: all can be read
  std::size_t types = 0;  // all of the section
  std::size_t readable = 0;
};

BrokenLines find_broken_lines(std::string_view section) {
  BrokenLines broken;
  const std::vector<std::string_view> lines = lines_of_types(section);
  broken.types = lines.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      static_cast<void>(type_from_json(lines[i]));
      ++broken.readable;
    } catch (const Error& error) {
      if (broken.reason.empty()) {
        // The first type stands behind the line that begins the section.
        broken.reason = "line " + std::to_string(i + 2) + ": " + reason_in_line(error.message());
      }
    }
  }
  if (const std::size_t more = broken.types - broken.readable; more > 1) {
    broken.reason += " (and " + std::to_string(more - 1) + " more)";
  }
  return broken;
}

std::string flaw_of_all(const ExtensionFile& file, std::string_view section,
                        const std::string& reason) {
  const BrokenLines broken = find_broken_lines(section);
  return broken.reason.empty()
             ? flaw_of_section(file, reason, "none of its types was read")
             : flaw_of_section(file, broken.reason,
                               "none of its " + std::to_string(broken.types) + " types was read");
}

}  // namespace

bool is_extension_file(const std::filesystem::path& path) {
  try {
    return ElfFile(path).has_section(kDescriptorSection);
  } catch (const Error&) {
    return false;
  }
}

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
  return read_part(file.path, [&file, section] {
    std::vector<TypeInfo> types;
    try {
      types = types_from_json(section);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::InvalidData) {
        throw;
      }
      throw Error(ErrorCode::InvalidData, flaw_of_all(file, section, error.message()));
    }
    for (TypeInfo& type : types) {
      type.extension = file.descriptor.name;
    }
    return types;
  });
}

TypeInfo read_type(const ExtensionFile& file, std::string_view line) {
  return read_part(file.path, [&file, line] {
    TypeInfo type = type_from_json(line);
    type.extension = file.descriptor.name;
    return type;
  });
}

std::string flaw_of_lines(const ExtensionFile& file, std::string_view section) {
  const BrokenLines broken = find_broken_lines(section);
  return flaw_of_section(file, broken.reason,
                         std::to_string(broken.readable) + " of its " +
                             std::to_string(broken.types) + " types were read");
}

ExtensionFile read_extension_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (is_python_file(path) ||
      (is_python_module(path.string()) && !std::filesystem::exists(path, ignored))) {
    return read_python_extension(path);
  }
  auto [file, section] = open_extension_file(path);
  file.types = read_types(file, section);
  return std::move(file);
}

}  // namespace gxr
