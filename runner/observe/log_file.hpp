#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gxr/open_file.hpp"
#include "observe/log_rotation.hpp"

namespace gxr {

/// A file that whole lines are appended to. Its folder must exist. For one thread at a time, but
/// descriptor(): it stays the same when the file is opened again or rotated, so that whoever must
/// not lock may write to it at any time.
class LogFile {
 public:
  /// Throws Error(InputOutput) when the file cannot be opened, and when one is to be rotated that
  /// is no regular file.
  LogFile(std::string name, const LogRotation& rotation);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] int descriptor() const noexcept { return file_.descriptor(); }
  /// Would the file have too much, with so many bytes more?
  [[nodiscard]] bool is_full_for(std::size_t bytes) const noexcept;
  /// FILE becomes FILE.1, which becomes FILE.2, and so on; then a new FILE begins. If another
  /// process has done so, only goes on in the new one. Returns why not; then the file is written
  /// on, and is full again after as many bytes.
  [[nodiscard]] std::string rotate();
  /// Goes on in the file that has the name now. Returns why not; then the file is written on.
  [[nodiscard]] std::string reopen();
  /// Returns errno, or 0. What is left of a line that was written in part ends with a line end.
  [[nodiscard]] int append(std::string_view line) noexcept;

 private:
  [[nodiscard]] std::string rotate_locked(const std::string& path);
  void take_size() noexcept;

  std::string name_;
  std::string path_;  // the same, wherever the process works later
  LogRotation rotation_;
  OpenFile file_;
  std::uint64_t size_ = 0;
  bool is_torn_ = false;  // its last line
};

}  // namespace gxr
