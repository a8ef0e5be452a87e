#include "registry/file_kind.hpp"

#include <algorithm>

#include <elf.h>

namespace gxr {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code >= 0x20 ? code != 0x7f : (code >= '\t' && code <= '\r');
  });
}

}  // namespace

bool is_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

std::string describe_non_library(std::string_view first_bytes) {
  if (first_bytes.empty()) {
    return "empty, not an extension library: was its build or download interrupted?";
  }
  if (starts_with(first_bytes, "version https://git-lfs.github.com/spec/")) {
    return "a git-lfs pointer, not the library itself: run 'git lfs pull' to fetch it";
  }
  if (starts_with(first_bytes, "!<arch>\n")) {
    return "a static library (an archive), not a shared one: build it with gxr_add_extension";
  }
  if (starts_with(first_bytes, "#!")) {
    return "a script, not an extension library";
  }
  if (is_text(first_bytes)) {
    return "a text file, not an extension library";
  }
  return "not an extension library (not an ELF file)";
}

std::string describe_elf_type(std::uint16_t type) {
  switch (type) {
    case ET_EXEC:
      return "a program, not an extension library";
    case ET_REL:
      return "an object file, not a linked library: build it with gxr_add_extension";
    case ET_CORE:
      return "a core dump, not an extension library";
    default:
      return "an ELF file of unknown type " + std::to_string(type) + ", not an extension library";
  }
}

}  // namespace gxr
