#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <elf.h>

#include "gxr/extension_descriptor.hpp"
#include "registry/type_json.hpp"

namespace gxr::test {

using Sections = std::vector<std::pair<std::string, std::string>>;

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

/// An ELF shared library that holds nothing but these sections.
inline std::string elf_with(const Sections& sections) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
#if defined(__aarch64__)
  header.e_machine = EM_AARCH64;
#else
  header.e_machine = EM_X86_64;
#endif
  header.e_type = ET_DYN;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections.size() + 2);
  header.e_shstrndx = 1;
  std::string names(1, '\0');
  std::string content;
  std::vector<Elf64_Shdr> table(2);
  for (const auto& [name, bytes] : sections) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<Elf64_Word>(names.size());
    section.sh_type = SHT_PROGBITS;
    section.sh_offset = sizeof(header) + content.size();
    section.sh_size = bytes.size();
    table.push_back(section);
    names += name + '\0';
    content += bytes;
  }
  table[1].sh_type = SHT_STRTAB;
  table[1].sh_offset = sizeof(header) + content.size();
  table[1].sh_size = names.size();
  header.e_shoff = sizeof(header) + content.size() + names.size();
  std::string file = bytes_of(header) + content + names;
  for (const Elf64_Shdr& section : table) {
    file += bytes_of(section);
  }
  return file;
}

inline TypeInfo type_named(const std::string& name, const std::string& base = {}) {
  TypeInfo type;
  type.name = name;
  type.base = base;
  return type;
}

/// The file of an extension that can be read, though not loaded.
inline std::string extension_with(const std::string& name, const std::vector<TypeInfo>& types) {
  const ExtensionDescriptor descriptor =
      make_extension_descriptor(name, "1.0.0", "MIT", "For a test");
  return elf_with(
      {{kDescriptorSection, bytes_of(descriptor)}, {kTypesSection, types_to_json(types)}});
}

}  // namespace gxr::test
