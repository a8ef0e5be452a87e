#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gxr {

// Caches only save time. What is missing, damaged or cannot be read is none, and failures to write
// are ignored.

/// Where the cache of `key` is: ${XDG_CACHE_HOME:-~/.cache}/gxr/KIND-DIGEST.ENDING. Empty when
/// there is no place for caches.
std::filesystem::path cache_file_of(std::string_view kind, std::string_view key,
                                    std::string_view ending);

/// `text`, which ends with a line end, and a seal, by which a reader knows that nothing is missing.
std::string sealed(std::string text);
/// What was sealed; nothing when the seal is not as it must be.
std::optional<std::string_view> unsealed(std::string_view text);

/// Empty for what cannot be read, or is no cache by its kind or size.
std::string read_cache_file(const std::filesystem::path& file);
/// Replaces the file atomically. Whatever goes wrong, it stays as it was.
void write_cache_file(const std::filesystem::path& file, std::string_view text);

}  // namespace gxr
