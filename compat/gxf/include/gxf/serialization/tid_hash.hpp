#pragma once

#include <cstddef>

#include "gxf/core/gxf.h"

namespace nvidia {
namespace gxf {

/// Lets tids be keys of unordered maps.
struct TidHash {
  size_t operator()(const gxf_tid_t& tid) const noexcept { return tid.hash1 ^ tid.hash2; }
};

}  // namespace gxf
}  // namespace nvidia
