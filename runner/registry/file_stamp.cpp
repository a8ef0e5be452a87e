#include "registry/file_stamp.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <sys/stat.h>

namespace gxr {
namespace {

template <class T>
bool take_number(std::string_view& rest, T& number) {
  const std::string_view text = take_until(rest, kStampSeparator);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

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

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool is_settled(const FileStamp& stamp, std::int64_t now) {
  constexpr std::int64_t tick = 50'000'000;
  return std::max(stamp.modified, stamp.changed) < now - tick;
}

std::string stamp_text(const FileStamp& stamp) {
  std::string text = std::to_string(stamp.size);
  for (const std::string& number : {std::to_string(stamp.modified), std::to_string(stamp.changed),
                                    std::to_string(stamp.inode), std::to_string(stamp.device)}) {
    text += kStampSeparator + number;
  }
  return text;
}

bool take_stamp(std::string_view& rest, FileStamp& stamp) {
  return take_number(rest, stamp.size) && take_number(rest, stamp.modified) &&
         take_number(rest, stamp.changed) && take_number(rest, stamp.inode) &&
         take_number(rest, stamp.device);
}

std::string_view take_until(std::string_view& rest, char end) {
  const std::size_t at = rest.find(end);
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return part;
}

}  // namespace gxr
