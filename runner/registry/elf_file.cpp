#include "registry/elf_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "registry/file_kind.hpp"

namespace gxr {
namespace {

#if defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
constexpr Elf64_Half kMachine = EM_X86_64;
#endif

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "ARM 64 bit (aarch64)";
    case EM_386:
      return "x86 32 bit";
    case EM_ARM:
      return "ARM 32 bit";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "POWER 64 bit";
    case EM_S390:
      return "IBM Z";
    default:
      return "machine number " + std::to_string(machine);
  }
}

std::string in_quotes(const std::filesystem::path& path) { return quote_text(path.string()); }

/// More than linkers make, and less than a text of 1 GiB: what is larger is no extension, and its
/// memory is not asked for.
constexpr std::uint64_t kMostSections = 1U << 16U;
constexpr std::uint64_t kLargestSection = std::uint64_t{64} << 20U;

[[noreturn]] void damaged(const std::filesystem::path& path) {
  throw Error(ErrorCode::InvalidData,
              in_quotes(path) +
                  " is damaged: it ends before its section table says; copy or build it again");
}

[[noreturn]] void too_large(const std::filesystem::path& path, const std::string& what) {
  throw Error(ErrorCode::InvalidData, in_quotes(path) + " is no extension library: " + what);
}

}  // namespace

ElfFile::ElfFile(const std::filesystem::path& path) : path_(path) {
  try {
    open();
    read_header();
    read_section_table();
  } catch (...) {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
    throw;
  }
}

ElfFile::~ElfFile() { ::close(descriptor_); }

void ElfFile::open() {
  OpenFile opened = open_regular(path_.string());
  if (!opened) {
    refuse(opened);
  }
  descriptor_ = opened.release();
  struct stat status {};
  ::fstat(descriptor_, &status);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

void ElfFile::refuse(const OpenFile& opened) const {
  switch (opened.error()) {
    case EISDIR:
      throw Error(ErrorCode::InvalidData,
                  in_quotes(path_) + " is a folder, not an extension library");
    case EINVAL:
      throw Error(ErrorCode::InvalidData,
                  in_quotes(path_) + " is no extension library: " + opened.reason());
    default:
      throw Error(opened.error() == ENOENT ? ErrorCode::NotFound : ErrorCode::InputOutput,
                  in_quotes(path_) + " cannot be opened: " + opened.reason());
  }
}

void ElfFile::read_header() {
  std::array<char, 512> head{};
  const std::size_t available = std::min<std::uint64_t>(size_, head.size());
  read_at(0, head.data(), available);
  const std::string_view text(head.data(), available);
  if (text.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG)) {
    throw Error(ErrorCode::InvalidData, in_quotes(path_) + " is " + describe_non_library(text));
  }
  if (available < sizeof(header_)) {
    damaged(path_);
  }
  std::memcpy(&header_, head.data(), sizeof(header_));
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB ||
      header_.e_machine != kMachine) {
    const bool wide =
        header_.e_ident[EI_CLASS] == ELFCLASS64 && header_.e_ident[EI_DATA] == ELFDATA2LSB;
    const std::string built_for =
        wide ? machine_name(header_.e_machine) : "a 32-bit or big-endian machine";
    throw Error(ErrorCode::Incompatible, in_quotes(path_) + " was built for " + built_for +
                                             ", this gxr runs on " + machine_name(kMachine) +
                                             ": build the extension for this machine");
  }
  if (header_.e_type != ET_DYN) {
    throw Error(ErrorCode::InvalidData,
                in_quotes(path_) + " is " + describe_elf_type(header_.e_type));
  }
}

void ElfFile::read_section_table() {
  if (header_.e_shoff == 0 || header_.e_shentsize != sizeof(Elf64_Shdr)) {
    throw Error(ErrorCode::InvalidData,
                in_quotes(path_) +
                    " has no section table, so what it holds cannot be read: it was stripped of "
                    "it; build it again with gxr_add_extension");
  }
  // Counts that do not fit the header stand in the first section (ELF's extended numbering).
  const Elf64_Shdr first = read_first_section();
  const std::uint64_t count = header_.e_shnum != 0 ? header_.e_shnum : first.sh_size;
  const std::uint64_t names = header_.e_shstrndx != SHN_XINDEX ? header_.e_shstrndx : first.sh_link;
  if (count > (size_ - header_.e_shoff) / sizeof(Elf64_Shdr) || names >= count) {
    damaged(path_);
  }
  if (count > kMostSections) {
    too_large(path_, "it says that it has " + std::to_string(count) + " sections");
  }
  sections_.resize(count);
  read_at(header_.e_shoff, sections_.data(), count * sizeof(Elf64_Shdr));
  names_ = content(sections_[names]);
}

Elf64_Shdr ElfFile::read_first_section() const {
  Elf64_Shdr first{};
  read_at(header_.e_shoff, &first, sizeof(first));
  return first;
}

const Elf64_Shdr* ElfFile::find(std::string_view name) const {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_name >= names_.size()) {
      continue;
    }
    const std::string_view rest = std::string_view(names_).substr(section.sh_name);
    if (rest.substr(0, rest.find('\0')) == name) {
      return &section;
    }
  }
  return nullptr;
}

bool ElfFile::has_section(std::string_view name) const { return find(name) != nullptr; }

std::optional<std::string> ElfFile::section(std::string_view name) const {
  const Elf64_Shdr* found = find(name);
  if (found == nullptr) {
    return std::nullopt;
  }
  return content(*found);
}

std::string ElfFile::content(const Elf64_Shdr& section) const {
  if (section.sh_type == SHT_NOBITS) {
    return {};
  }
  // Checked before the memory is allocated: a damaged size must not ask for all of it.
  if (section.sh_offset > size_ || section.sh_size > size_ - section.sh_offset) {
    damaged(path_);
  }
  if (section.sh_size > kLargestSection) {
    too_large(path_, "a section that gxr reads has " + std::to_string(section.sh_size) + " bytes");
  }
  std::string bytes(section.sh_size, '\0');
  read_at(section.sh_offset, bytes.data(), bytes.size());
  return bytes;
}

void ElfFile::read_at(std::uint64_t offset, void* to, std::size_t size) const {
  if (offset > size_ || size > size_ - offset) {
    damaged(path_);
  }
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, bytes, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      throw Error(ErrorCode::InputOutput,
                  in_quotes(path_) + " cannot be read: " +
                      (got < 0 ? system_error_text(errno) : "it was shortened meanwhile"));
    }
    bytes += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace gxr
