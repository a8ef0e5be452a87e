#pragma once

#include "gxr/type_provider.hpp"

namespace gxr {

/// Throws Error(InvalidData) with all that is wrong with the records of a provider: what
/// gxr-declare refuses of an extension, and a type that cannot be made.
void check_provider(const TypeProvider& provider);

}  // namespace gxr
