#include "registry/python_failures.hpp"

#include <algorithm>

namespace gxr {

namespace fs = std::filesystem;

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
  Failure failure{error, {}};
  for (const fs::path& each : error.files) {
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
