#pragma once

#include <string>

namespace nvidia {
namespace gxf {

/// The path of a file or folder.
class FilePath : public std::string {
 public:
  FilePath() = default;
  FilePath(const char* path) : std::string(path) {}         // NOLINT(google-explicit-constructor)
  FilePath(const std::string& path) : std::string(path) {}  // NOLINT(google-explicit-constructor)
};

}  // namespace gxf
}  // namespace nvidia
