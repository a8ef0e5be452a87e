#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gxr {

/// What an interpreter answered for a Python file, while nothing that the answer depends on has
/// changed: the interpreter, and the files that the answer names.
class PythonCache {
 public:
  /// Both by their canonical paths; see find_python().
  PythonCache(const std::filesystem::path& file, const std::filesystem::path& interpreter);

  /// Nothing when there is none that still holds.
  [[nodiscard]] std::optional<std::string> find() const;
  /// Replaces what there is. Keeps nothing of files that have changed since, or just before,
  /// `begin` (see now_nanoseconds()), when the interpreter was started.
  void store(const std::vector<std::filesystem::path>& files, std::string_view answer,
             std::int64_t begin) const noexcept;

  /// Empty when there is no place for caches.
  [[nodiscard]] const std::filesystem::path& cache_file() const noexcept { return cache_file_; }

 private:
  std::filesystem::path interpreter_;
  std::string header_;
  std::filesystem::path cache_file_;
};

}  // namespace gxr
