#include "registry/python_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "registry/cache_file.hpp"
#include "registry/descriptor_check.hpp"
#include "registry/file_stamp.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// What the environment says of where modules are.
std::string module_path() {
  std::string text;
  for (const char* name : {"PYTHONPATH", "PYTHONHOME"}) {
    const char* value = std::getenv(name);
    text += std::string("\t") + (value != nullptr ? value : "");
  }
  return text;
}

/// First line: what must be equal for an answer to be for this file. A line break in one of the
/// names is in it as it is, and does no harm: the header is compared as a whole.
std::string header_of(const fs::path& file, const fs::path& interpreter) {
  return "gxr Python declaration 1, " + std::string(own_abi_tag()) + ", " + file.string() + "\t" +
         interpreter.string() + module_path() + "\n";
}

bool fits_line(const fs::path& file) {
  return file.is_absolute() && std::ranges::none_of(file.string(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20;
         });
}

std::string line_of(const fs::path& file, const FileStamp& stamp) {
  return file.string() + kStampSeparator + stamp_text(stamp) + "\n";
}

/// Does the file still have the stamp of the line?
bool holds(std::string_view line) {
  const fs::path file(take_until(line, kStampSeparator));
  FileStamp stamp;
  return take_stamp(line, stamp) && line.empty() && stamp_of(file) == stamp;
}

}  // namespace

PythonCache::PythonCache(const fs::path& file, const fs::path& interpreter)
    : interpreter_(interpreter),
      header_(header_of(file, interpreter)),
      cache_file_(cache_file_of("python", header_, "json")) {}

std::optional<std::string> PythonCache::find() const {
  if (cache_file_.empty()) {
    return std::nullopt;
  }
  const std::string text = read_cache_file(cache_file_);
  std::optional<std::string_view> rest = unsealed(text);
  if (!rest || !rest->starts_with(header_)) {
    return std::nullopt;
  }
  rest->remove_prefix(header_.size());
  // An empty line ends those of the files.
  for (std::string_view line = take_until(*rest, '\n'); !line.empty();
       line = take_until(*rest, '\n')) {
    if (!holds(line)) {
      return std::nullopt;
    }
  }
  return std::string(*rest);
}

void PythonCache::store(const std::vector<fs::path>& files, std::string_view answer,
                        std::int64_t begin) const noexcept {
  if (cache_file_.empty()) {
    return;
  }
  try {
    std::string text = header_;
    std::vector<fs::path> all = files;
    all.push_back(interpreter_);
    for (const fs::path& file : all) {
      const std::optional<FileStamp> stamp = stamp_of(file);
      if (!stamp || !is_settled(*stamp, begin) || !fits_line(file)) {
        return;
      }
      text += line_of(file, *stamp);
    }
    text.append("\n").append(answer).append("\n");
    write_cache_file(cache_file_, sealed(std::move(text)));
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): without a cache the next start
                                     // is slower
  }
}

}  // namespace gxr
