#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gxr {

/// False also for what cannot be looked at.
bool is_folder(const std::filesystem::path& path);

/// What a file that does not begin as an ELF file seems to be, judged by its first bytes, and what
/// to do about it: "a text file, not an extension library".
std::string describe_non_library(std::string_view first_bytes);

/// The same for an ELF file that is not a shared library (`e_type` other than ET_DYN).
std::string describe_elf_type(std::uint16_t type);

}  // namespace gxr
