#pragma once

#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Fails for a component that only works with a GPU: this library knows the types, so that files
/// that mention them are checked on every machine, but contains no device code.
[[noreturn]] void fail_without_device(const Component& component);

}  // namespace gxr::cuda
