#include "registry/extension_index.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "gxr/extension_descriptor.hpp"
#include "gxr/open_file.hpp"
#include "gxr/type_id.hpp"
#include "registry/descriptor_check.hpp"

namespace gxr {
namespace {

/// Of the fields of a line, and of the names in a field.
constexpr char kSeparator = '\t';
constexpr char kNameSeparator = '\x1f';

std::string shortest_hexadecimal(std::uint64_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number, 16).ptr;
  return {digits, end};
}

std::filesystem::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return std::filesystem::path(cache) / "gxr";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::filesystem::path(home) / ".cache" / "gxr";
  }
  return {};
}

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

/// A file that changed just now may change again within one tick of the file system's clock and
/// keep its stamp.
bool settled(const FileStamp& stamp, std::int64_t now) {
  constexpr std::int64_t tick = 50'000'000;
  return std::max(stamp.modified, stamp.changed) < now - tick;
}

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string seal(std::string_view text) {
  return "end " + shortest_hexadecimal(type_id_of_name(text).hash1) + "\n";
}

std::string render(const std::filesystem::path& folder, const std::vector<IndexEntry>& entries) {
  std::string lines;
  const std::int64_t now = now_nanoseconds();
  for (const IndexEntry& entry : entries) {
    if (fits(entry) && settled(entry.stamp, now)) {
      lines += index_line(entry);
    }
  }
  return sealed_index(folder, lines);
}

/// Whatever goes wrong, the cache stays as it was.
void write_atomically(const std::filesystem::path& file, const std::string& text) {
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

// --- reading -----------------------------------------------------------------------------------

/// Larger than any index of extensions.
constexpr std::size_t kLargestIndex = std::size_t{64} << 20U;

/// Empty for what cannot be read, or is no index by its kind or size.
std::string read_cache(const std::filesystem::path& file) {
  const StdioFile stream = open_regular(file.string()).stream("rb");
  struct stat status {};
  if (stream == nullptr || ::fstat(::fileno(stream.get()), &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) > kLargestIndex) {
    return {};
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  return text;
}

/// Cuts the text up to `end` off the front of `rest`.
std::string_view take(std::string_view& rest, char end) {
  const std::size_t at = rest.find(end);
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return part;
}

template <class T>
bool take_number(std::string_view& rest, T& number) {
  const std::string_view text = take(rest, kSeparator);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

bool parse_line(std::string_view line, IndexEntry& entry) {
  entry.file = take(line, kSeparator);
  FileStamp& s = entry.stamp;
  if (!take_number(line, s.size) || !take_number(line, s.modified) ||
      !take_number(line, s.changed) || !take_number(line, s.inode) ||
      !take_number(line, s.device)) {
    return false;
  }
  while (!line.empty()) {
    std::string_view names = take(line, kSeparator);
    TypeNames& type = entry.types.emplace_back();
    do {
      if (type.emplace_back(take(names, kNameSeparator)).empty()) {
        return false;
      }
    } while (!names.empty());
  }
  return true;
}

/// The lines between header and seal; empty when either is not as it must be.
std::string_view verified_body(std::string_view text, const std::filesystem::path& folder) {
  const std::string first = header(folder);
  const std::size_t last = text.rfind("\nend ");
  if (text.substr(0, first.size()) != first || last == std::string_view::npos) {
    return {};
  }
  const std::string_view sealed = text.substr(0, last + 1);
  if (text.substr(last + 1) != seal(sealed) || sealed.size() < first.size()) {
    return {};
  }
  return sealed.substr(first.size());
}

std::vector<IndexEntry> parse(std::string_view body) {
  std::vector<IndexEntry> entries;
  while (!body.empty()) {
    if (!parse_line(take(body, '\n'), entries.emplace_back())) {
      return {};
    }
  }
  return entries;
}

}  // namespace

std::string index_line(const IndexEntry& entry) {
  const FileStamp& s = entry.stamp;
  std::string line = entry.file;
  for (const std::string& field :
       {std::to_string(s.size), std::to_string(s.modified), std::to_string(s.changed),
        std::to_string(s.inode), std::to_string(s.device)}) {
    line += kSeparator + field;
  }
  for (const TypeNames& names : entry.types) {
    char separator = kSeparator;
    for (const std::string& name : names) {
      line += separator + name;
      separator = kNameSeparator;
    }
  }
  return line + "\n";
}

std::string sealed_index(const std::filesystem::path& folder, std::string_view lines) {
  std::string text = header(folder);
  text += lines;
  return text + seal(text);
}

std::vector<IndexEntry> read_index(std::string_view text, const std::filesystem::path& folder) {
  return parse(verified_body(text, folder));
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    return std::nullopt;
  }
  constexpr std::int64_t second = 1'000'000'000;
  return FileStamp{static_cast<std::uint64_t>(status.st_size),
                   status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec,
                   status.st_ctim.tv_sec * second + status.st_ctim.tv_nsec, status.st_ino,
                   status.st_dev};
}

ExtensionIndex::ExtensionIndex(std::filesystem::path folder) : folder_(std::move(folder)) {
  const std::filesystem::path caches = cache_folder();
  if (caches.empty()) {
    return;
  }
  cache_file_ = caches / ("extensions-" +
                          shortest_hexadecimal(type_id_of_name(folder_.string()).hash1) + ".index");
  text_ = read_cache(cache_file_);
  entries_ = read_index(text_, folder_);
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
      write_atomically(cache_file_, text);
    }
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): without a cache the next start
                                     // is slower
  }
}

}  // namespace gxr
