#pragma once

#include <chrono>
#include <cstdlib>
#include <string>

namespace gxr::test {

/// How long a test case with the tag `[.soak]` repeats: GXR_SOAK_SECONDS, or 10 s.
inline std::chrono::seconds soak_time() {
  const char* const text = std::getenv("GXR_SOAK_SECONDS");
  return std::chrono::seconds(text != nullptr ? std::stoi(text) : 10);
}

}  // namespace gxr::test
