#pragma once

#include <string_view>

#include <errno.h>

namespace test {

/// True while gxr-declare reads the types at build time, so that the fault shows in gxr only.
inline bool being_built() {
  return std::string_view(program_invocation_short_name) == "gxr-declare";
}

}  // namespace test
