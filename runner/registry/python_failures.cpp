#include "registry/python_failures.hpp"

#include <algorithm>
#include <system_error>

#include "registry/python_interpreter.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// Of a file of which nobody could say what it imports: it, and the others in its folder.
std::vector<fs::path> likely_files(const fs::path& file) {
  std::error_code error;
  const fs::path canonical = fs::canonical(file, error);
  if (error) {
    return {};  // the name of a module
  }
  std::vector<fs::path> files{canonical};
  for (const fs::directory_entry& entry : fs::directory_iterator(canonical.parent_path(), error)) {
    if (is_python_file(entry.path()) && entry.path() != canonical) {
      files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace

const PythonError* PythonFailures::find(const fs::path& file) const {
  const auto known = failures_.find(file);
  if (known == failures_.end()) {
    return nullptr;
  }
  const bool holds = std::ranges::all_of(
      known->second.files, [](const auto& each) { return stamp_of(each.first) == each.second; });
  return holds ? &known->second.error : nullptr;
}

void PythonFailures::add(const fs::path& file, const PythonError& error, std::int64_t begin) {
  failures_.erase(file);
  // Another interpreter, or another package gxr, changes without a change of the file.
  if (error.diagnostic != DiagnosticCode::PythonModule) {
    return;
  }
  Failure failure{error, {}};
  for (const fs::path& each : error.files.empty() ? likely_files(file) : error.files) {
    const std::optional<FileStamp> stamp = stamp_of(each);
    if (stamp && !is_settled(*stamp, begin)) {
      return;
    }
    failure.files.emplace_back(each, stamp);
  }
  if (!failure.files.empty()) {
    failures_.emplace(file, std::move(failure));
  }
}

}  // namespace gxr
