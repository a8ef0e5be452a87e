#include "registry/extension_index.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "gxr/extension_descriptor.hpp"
#include "registry/cache_file.hpp"
#include "registry/descriptor_check.hpp"

namespace gxr {
namespace {

/// Of the names in a field of a line.
constexpr char kNameSeparator = '\x1f';

/// First line: what must be equal for an index to be understood at all.
std::string header(const std::filesystem::path& folder) {
  return "gxr extension index 2, descriptor " + std::to_string(kDescriptorVersion) + ", " +
         std::string(own_abi_tag()) + ", " + folder.string() + "\n";
}

// --- writing -----------------------------------------------------------------------------------

/// A text that fits a field of a line.
bool fits(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

bool fits(const IndexEntry& entry) {
  return fits(entry.file) && std::ranges::all_of(entry.types, [](const TypeNames& names) {
           return std::ranges::all_of(names, [](const std::string& name) { return fits(name); });
         });
}

std::string render(const std::filesystem::path& folder, const std::vector<IndexEntry>& entries) {
  std::string lines;
  const std::int64_t now = now_nanoseconds();
  for (const IndexEntry& entry : entries) {
    if (fits(entry) && is_settled(entry.stamp, now)) {
      lines += index_line(entry);
    }
  }
  return sealed_index(folder, lines);
}

// --- reading -----------------------------------------------------------------------------------

bool parse_line(std::string_view line, IndexEntry& entry) {
  entry.file = take_until(line, kStampSeparator);
  if (!take_stamp(line, entry.stamp)) {
    return false;
  }
  while (!line.empty()) {
    std::string_view names = take_until(line, kStampSeparator);
    TypeNames& type = entry.types.emplace_back();
    do {
      if (type.emplace_back(take_until(names, kNameSeparator)).empty()) {
        return false;
      }
    } while (!names.empty());
  }
  return true;
}

/// The lines between header and seal; empty when either is not as it must be.
std::string_view verified_body(std::string_view text, const std::filesystem::path& folder) {
  const std::string first = header(folder);
  const std::optional<std::string_view> body = unsealed(text);
  return body && body->starts_with(first) ? body->substr(first.size()) : std::string_view();
}

std::vector<IndexEntry> parse(std::string_view body) {
  std::vector<IndexEntry> entries;
  while (!body.empty()) {
    if (!parse_line(take_until(body, '\n'), entries.emplace_back())) {
      return {};
    }
  }
  return entries;
}

}  // namespace

std::string index_line(const IndexEntry& entry) {
  std::string line = entry.file + kStampSeparator + stamp_text(entry.stamp);
  for (const TypeNames& names : entry.types) {
    char separator = kStampSeparator;
    for (const std::string& name : names) {
      line += separator + name;
      separator = kNameSeparator;
    }
  }
  return line + "\n";
}

std::string sealed_index(const std::filesystem::path& folder, std::string_view lines) {
  return sealed(header(folder).append(lines));
}

std::vector<IndexEntry> read_index(std::string_view text, const std::filesystem::path& folder) {
  return parse(verified_body(text, folder));
}

ExtensionIndex::ExtensionIndex(std::filesystem::path folder)
    : folder_(std::move(folder)),
      cache_file_(cache_file_of("extensions", folder_.string(), "index")) {
  if (!cache_file_.empty()) {
    text_ = read_cache_file(cache_file_);
    entries_ = read_index(text_, folder_);
  }
}

const IndexEntry* ExtensionIndex::find(const std::string& file, const FileStamp& stamp) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const IndexEntry& entry) {
    return entry.file == file && entry.stamp == stamp;
  });
  return found == entries_.end() ? nullptr : &*found;
}

void ExtensionIndex::store(const std::vector<IndexEntry>& entries) const noexcept {
  if (cache_file_.empty()) {
    return;
  }
  try {
    const std::string text = render(folder_, entries);
    if (text != text_) {
      write_cache_file(cache_file_, text);
    }
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): without a cache the next start
                                     // is slower
  }
}

}  // namespace gxr
