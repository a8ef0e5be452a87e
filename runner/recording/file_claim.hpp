#pragma once

#include <cstdint>
#include <string>

#include "recording/file_stream.hpp"

namespace gxr {

/// As long as it lives, its file is known to be in use for a recording. A file of this process is
/// written by one, and then read by none; whatever name it was opened by. As long as the file is
/// open, other processes know it, too (flock): a file is written by one, and not while another
/// process began to read it.
class FileClaim {
 public:
  enum class Use : std::uint8_t { Read, Write };

  /// `user` is how messages call the component. Throws Error(InvalidParameter) that names both when
  /// the file is in use already, Error(InvalidState) when another process has it. Devices can be
  /// used by any number.
  FileClaim(const FileStream& file, Use use, std::string user);
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;
  ~FileClaim();

  /// Did another process write the file when this began to read it?
  [[nodiscard]] bool is_written_elsewhere() const noexcept { return is_written_elsewhere_; }

 private:
  void require_of_other_processes(const FileStream& file);
  [[nodiscard]] std::string conflict_with(const FileClaim& other) const;

  FileStream::Identity file_;
  Use use_;
  std::string path_;
  std::string user_;
  bool is_written_elsewhere_ = false;
};

}  // namespace gxr
