#pragma once

#include <cstdint>
#include <string>

namespace gxr::media {

/// "1 picture", "3 pictures"
inline std::string counted(std::uint64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace gxr::media
