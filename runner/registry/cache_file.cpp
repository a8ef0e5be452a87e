#include "registry/cache_file.hpp"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <sys/stat.h>

#include "gxr/open_file.hpp"
#include "gxr/type_id.hpp"

namespace gxr {
namespace {

/// Larger than any cache of gxr's.
constexpr std::size_t kLargestCache = std::size_t{64} << 20U;

constexpr std::string_view kSeal = "\nend ";

std::string digest_of(std::string_view text) {
  char digits[16];
  const auto end =
      std::to_chars(digits, digits + sizeof(digits), type_id_of_name(text).hash1, 16).ptr;
  return {digits, end};
}

std::string seal_of(std::string_view text) { return "end " + digest_of(text) + "\n"; }

std::filesystem::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return std::filesystem::path(cache) / "gxr";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::filesystem::path(home) / ".cache" / "gxr";
  }
  return {};
}

}  // namespace

std::filesystem::path cache_file_of(std::string_view kind, std::string_view key,
                                    std::string_view ending) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) {
    return folder;
  }
  std::string name(kind);
  name.append("-").append(digest_of(key)).append(".").append(ending);
  return folder / name;
}

std::string sealed(std::string text) {
  const std::string seal = seal_of(text);
  return std::move(text) + seal;
}

std::optional<std::string_view> unsealed(std::string_view text) {
  const std::size_t last = text.rfind(kSeal);
  if (last == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view body = text.substr(0, last + 1);
  return text.substr(last + 1) == seal_of(body) ? std::optional(body) : std::nullopt;
}

std::string read_cache_file(const std::filesystem::path& file) {
  const StdioFile stream = open_regular(file.string()).stream("rb");
  struct stat status {};
  if (stream == nullptr || ::fstat(::fileno(stream.get()), &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) > kLargestCache) {
    return {};
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  return text;
}

void write_cache_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  FileReplacement replacement(file.string());
  StdioFile stream = replacement.file().stream("wb");
  if (stream == nullptr || std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size() ||
      std::fclose(stream.release()) != 0) {
    return;
  }
  static_cast<void>(replacement.commit());
}

}  // namespace gxr
