#pragma once

#include "internal_api.hpp"

namespace gxr {

/// A write beyond the greatest size of files that the process may have (RLIMIT_FSIZE) kills it by
/// SIGXFSZ unless somebody handles that. After this call such a write fails with EFBIG, which
/// whoever writes reports. Programs that a child executes get the signal again. For executables:
/// the library leaves the signals of other programs alone.
GXR_INTERNAL_API void let_writes_fail_at_size_limit() noexcept;

}  // namespace gxr
