#include "registry/elf_file.hpp"

#include <random>

#include "catch.hpp"
#include "extension_bytes.hpp"
#include "gxr/error.hpp"
#include "registry/extension_reader.hpp"
#include "temporary_folder.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string reason(const std::filesystem::path& file) {
  try {
    static_cast<void>(ElfFile(file));
  } catch (const Error& error) {
    return error.message();
  }
  return "readable";
}

std::string reason_for_bytes(const std::string& bytes) {
  const test::TemporaryFolder folder;
  return reason(folder.write("x.so", bytes));
}

TEST_CASE("Sections are read by name") {
  const test::TemporaryFolder folder;
  const ElfFile elf(
      folder.write("x.so", test::elf_with({{".one", "first"}, {".two", ""}, {".one", "second"}})));
  CHECK(elf.section(".one") == "first");
  CHECK(elf.section(".two") == "");
  CHECK_FALSE(elf.section(".on"));
  CHECK_FALSE(elf.section(".one2"));
  CHECK(elf.has_section(".two"));
}

TEST_CASE("The sections of this very program's engine are found") {
  const ElfFile elf(std::filesystem::path(GXR_BINARY_DIR) / "libgxr.so");
  REQUIRE(elf.section(".dynstr"));
  CHECK(elf.section(".dynstr")->find("gxr") != std::string::npos);
  CHECK(elf.section(".bss") == "");  // takes no room in the file
}

TEST_CASE("What is not a library is named") {
  CHECK_THAT(reason_for_bytes(""), ContainsSubstring("is empty"));
  CHECK_THAT(reason_for_bytes("name: x\n"), ContainsSubstring("is a text file"));
  CHECK_THAT(reason_for_bytes("#!/bin/sh\n"), ContainsSubstring("is a script"));
  CHECK_THAT(reason_for_bytes("!<arch>\nx"), ContainsSubstring("static library"));
  CHECK_THAT(reason_for_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
             ContainsSubstring("git lfs pull"));
  CHECK_THAT(reason_for_bytes(std::string("\x89PNG\0\1", 6)), ContainsSubstring("not an ELF file"));
  const test::TemporaryFolder folder;
  CHECK_THAT(reason(folder.path()), ContainsSubstring("is a folder"));
  CHECK_THAT(reason(folder.path() / "none.so"), ContainsSubstring("No such file"));
  CHECK_THAT(reason("/dev/null"), ContainsSubstring("device"));
  CHECK_THAT(reason(GXR_BINARY_DIR "/CMakeCache.txt"), ContainsSubstring("text file"));
}

TEST_CASE("Other machines and other kinds of ELF file are named") {
  std::string bytes = test::elf_with({});
  const auto altered = [&](std::size_t offset, char value) {
    std::string copy = bytes;
    copy[offset] = value;
    return reason_for_bytes(copy);
  };
  CHECK(reason_for_bytes(bytes) == "readable");
  CHECK_THAT(altered(offsetof(Elf64_Ehdr, e_machine), static_cast<char>(EM_RISCV)),
             ContainsSubstring("RISC-V"));
  CHECK_THAT(altered(EI_CLASS, ELFCLASS32), ContainsSubstring("32-bit"));
  CHECK_THAT(altered(EI_DATA, ELFDATA2MSB), ContainsSubstring("big-endian"));
  CHECK_THAT(altered(offsetof(Elf64_Ehdr, e_type), ET_EXEC), ContainsSubstring("is a program"));
  CHECK_THAT(altered(offsetof(Elf64_Ehdr, e_type), ET_REL), ContainsSubstring("object file"));
  CHECK_THAT(altered(offsetof(Elf64_Ehdr, e_type), ET_CORE), ContainsSubstring("core dump"));
}

TEST_CASE("A library without section table is told from a damaged one") {
  std::string bytes = test::elf_with({{".one", "text"}});
  std::memset(bytes.data() + offsetof(Elf64_Ehdr, e_shoff), 0, sizeof(Elf64_Off));
  CHECK_THAT(reason_for_bytes(bytes), ContainsSubstring("no section table"));
}

TEST_CASE("Every truncation of an extension is refused") {
  const std::string bytes = test::extension_with("cut", {test::type_named("test::A")});
  const test::TemporaryFolder folder;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto file = folder.write("x.so", bytes.substr(0, size));
    CHECK_THROWS_AS(read_extension_file(file), Error);
  }
  CHECK(read_extension_file(folder.write("x.so", bytes)).types.size() == 1);
}

TEST_CASE("No damage of an extension does more than throw an Error") {
  const std::string bytes =
      test::extension_with("damaged", {test::type_named("test::A", "gxr::Codelet")});
  const test::TemporaryFolder folder;
  std::mt19937 random(20240607);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string copy = bytes;
    for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
      copy[random() % copy.size()] = static_cast<char>(random());
    }
    try {
      static_cast<void>(read_extension_file(folder.write("x.so", copy)));
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("A section that claims more than the file has is refused before memory is taken for it") {
  std::string bytes = test::elf_with({{".one", "text"}});
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  const Elf64_Xword huge = ~Elf64_Xword{0} - 8;
  std::memcpy(
      bytes.data() + header.e_shoff + 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size), &huge,
      sizeof(huge));
  const test::TemporaryFolder folder;
  const ElfFile elf(folder.write("x.so", bytes));
  CHECK_THROWS_WITH(elf.section(".one"), ContainsSubstring("is damaged"));
}

}  // namespace
}  // namespace gxr
