#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gxr {

/// What the file system says of a file; when any of it changes, the file is read again.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since the epoch
  std::int64_t changed = 0;   ///< of the inode, which no program can set back
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
/// Empty when the file does not exist.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

/// Nanoseconds since the epoch, as stamps have them.
std::int64_t now_nanoseconds();
/// False for a file that changed just before `now`, or later: it may change again within one tick
/// of the file system's clock and keep its stamp.
bool is_settled(const FileStamp& stamp, std::int64_t now);

/// The numbers of a stamp, with kStampSeparator between them.
std::string stamp_text(const FileStamp& stamp);
inline constexpr char kStampSeparator = '\t';
/// Cuts the numbers of a stamp off the front of `rest`; false when they are not there.
bool take_stamp(std::string_view& rest, FileStamp& stamp);

/// Cuts the text up to `end` off the front of `rest`, and `end` with it.
std::string_view take_until(std::string_view& rest, char end);

}  // namespace gxr
