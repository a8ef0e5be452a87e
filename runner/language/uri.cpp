#include "language/uri.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "gxr/plain_text.hpp"

namespace gxr::language {
namespace {

constexpr std::string_view kFile = "file://";

bool stays(char c) {
  return is_letter(c) || is_digit(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string path_of_uri(std::string_view uri) {
  if (!uri.starts_with(kFile)) {
    return std::string(uri);
  }
  uri.remove_prefix(kFile.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // the host, which is this one
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    const bool is_escape =
        uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, code, 16).ptr == uri.data() + i + 3;
    path += is_escape ? static_cast<char>(code) : uri[i];
    i += is_escape ? 2 : 0;
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  if (!path.starts_with('/')) {
    return std::string(path);
  }
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri(kFile);
  for (const char c : path) {
    if (stays(c)) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    }
  }
  return uri;
}

std::string absolute_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

}  // namespace gxr::language
