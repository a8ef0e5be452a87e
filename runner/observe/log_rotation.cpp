#include "observe/log_rotation.hpp"

#include <charconv>
#include <system_error>

#include "document/number_text.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kSmallestFile = 1024;
constexpr int kMostFiles = 999;

std::optional<int> read_count(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_count =
      error == std::errc() && end == text.data() + text.size() && count >= 1 && count <= kMostFiles;
  return is_count ? std::optional(count) : std::nullopt;
}

}  // namespace

std::optional<LogRotation> parse_log_rotation(std::string_view text) {
  LogRotation rotation;
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    const std::optional<int> count = read_count(text.substr(comma + 1));
    if (!count) {
      return std::nullopt;
    }
    rotation.count = *count;
  }
  const std::optional<std::uint64_t> bytes = read_byte_size(text.substr(0, comma));
  if (!bytes || *bytes < kSmallestFile) {
    return std::nullopt;
  }
  rotation.bytes = *bytes;
  return rotation;
}

}  // namespace gxr
