#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

namespace gxr {

class OpenFile;

/// Reads named sections of a shared library of this machine's architecture. Nothing of the file is
/// mapped or run, and no offset in it is trusted, so that any file may be given.
class ElfFile {
 public:
  /// Throws Error(NotFound, InputOutput, InvalidData or Incompatible) that says what the file is
  /// instead of a library.
  explicit ElfFile(const std::filesystem::path& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  [[nodiscard]] bool has_section(std::string_view name) const;
  /// Content of the first section of that name. Throws Error(InvalidData) when it lies outside the
  /// file.
  [[nodiscard]] std::optional<std::string> section(std::string_view name) const;

 private:
  void open();
  [[noreturn]] void refuse(const OpenFile& opened) const;
  void read_header();
  void read_section_table();
  [[nodiscard]] Elf64_Shdr read_first_section() const;
  [[nodiscard]] const Elf64_Shdr* find(std::string_view name) const;
  [[nodiscard]] std::string content(const Elf64_Shdr& section) const;
  void read_at(std::uint64_t offset, void* to, std::size_t size) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
  std::string names_;
};

}  // namespace gxr
