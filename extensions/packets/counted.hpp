#pragma once

#include <cstdint>
#include <string>

namespace gxr::cuda {

/// "1 frame", "3 frames"
inline std::string counted(std::uint64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace gxr::cuda
