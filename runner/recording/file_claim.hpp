#pragma once

#include <cstdint>
#include <string>

#include "recording/file_stream.hpp"

namespace gxr {

/// As long as it lives, its file is known to be in use for a recording. A file of this process is
/// written by one, and then read by none; whatever name it was opened by.
class FileClaim {
 public:
  enum class Use : std::uint8_t { Read, Write };

  /// `user` is how messages call the component. Throws Error(InvalidParameter) that names both when
  /// the file is in use already. Devices can be used by any number.
  FileClaim(const FileStream& file, Use use, std::string user);
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;
  ~FileClaim();

 private:
  [[nodiscard]] std::string conflict_with(const FileClaim& other) const;

  FileStream::Identity file_;
  Use use_;
  std::string path_;
  std::string user_;
};

}  // namespace gxr
