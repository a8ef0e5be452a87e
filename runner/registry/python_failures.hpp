#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "registry/file_stamp.hpp"
#include "registry/python_error.hpp"

namespace gxr {

/// Extensions in Python that cannot be used, for a program that reads an application again and
/// again: they are read again when one of their files has changed. A failure that depends on more
/// than files, such as a time limit, is not remembered.
class PythonFailures {
 public:
  /// Why the file cannot be used; nullptr when that is not known, or not any more.
  [[nodiscard]] const PythonError* find(const std::filesystem::path& file) const;
  /// Remembers a mistake that has a list of files. `begin`: when it was read (see
  /// now_nanoseconds()). Nothing is remembered of files that have changed since, or just before.
  void add(const std::filesystem::path& file, const PythonError& error, std::int64_t begin);
  /// All of them.
  void forget() noexcept { failures_.clear(); }

 private:
  struct Failure {
    PythonError error;
    std::vector<std::pair<std::filesystem::path, std::optional<FileStamp>>> files;
  };
  std::map<std::filesystem::path, Failure> failures_;
};

}  // namespace gxr
