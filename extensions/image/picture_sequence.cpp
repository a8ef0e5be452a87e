#include "image/picture_sequence.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <glob.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "image/natural_order.hpp"

namespace gxr::image {
namespace {

namespace fs = std::filesystem;

bool is_picture_name(const fs::path& path) {
  constexpr std::array<std::string_view, 8> suffixes{".png",  ".jpg", ".jpeg", ".tif",
                                                     ".tiff", ".ppm", ".pgm",  ".pnm"};
  const std::string suffix = lower_case(path.extension().string());
  return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
}

std::vector<std::string> in_natural_order(std::vector<std::string> files) {
  std::sort(files.begin(), files.end(), natural_less);
  return files;
}

std::vector<std::string> pictures_in_folder(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_directory() && is_picture_name(entry->path())) {
      files.push_back(entry->path().string());
    }
  }
  if (error) {
    throw Error(ErrorCode::InputOutput, folder + ": " + system_error_text(error.value()));
  }
  if (files.empty()) {
    throw Error(ErrorCode::NotFound,
                folder + ": no picture (.png, .jpg, .tif, .ppm, .pgm, .pnm) in this folder");
  }
  return in_natural_order(std::move(files));
}

/// Result of glob(3), freed.
struct GlobResult {
  glob_t found{};
  GlobResult() = default;
  GlobResult(const GlobResult&) = delete;
  GlobResult& operator=(const GlobResult&) = delete;
  ~GlobResult() { globfree(&found); }
};

/// Of a pattern: the folder in front of its first wildcard, with where a relative path begins.
std::string searched_folder(const std::string& pattern) {
  const fs::path prefix = pattern.substr(0, pattern.find_first_of("*?["));
  std::error_code error;
  const fs::path folder = fs::absolute(prefix, error).parent_path();
  return fs::is_directory(folder, error) ? folder.string()
                                         : folder.string() + ", which is no folder";
}

std::vector<std::string> pictures_matching(const std::string& pattern) {
  GlobResult result;
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &result.found) != 0) {
    throw Error(ErrorCode::NotFound, pattern + ": no file matches in " + searched_folder(pattern));
  }
  return in_natural_order({result.found.gl_pathv, result.found.gl_pathv + result.found.gl_pathc});
}

bool is_pattern(const std::string& path) { return path.find_first_of("*?[") != std::string::npos; }

}  // namespace

std::vector<std::string> find_pictures(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    return pictures_in_folder(path);
  }
  if (fs::exists(status)) {
    return {path};
  }
  if (is_pattern(path)) {
    return pictures_matching(path);
  }
  throw Error(ErrorCode::NotFound, path + ": " + system_error_text(error.value()));
}

}  // namespace gxr::image
