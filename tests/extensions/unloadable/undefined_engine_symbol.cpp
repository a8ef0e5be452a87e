// Calls a function that its SDK had and this gxr has not.

#include <gxr/gxr.hpp>

namespace gxr {

int removed_from_the_sdk(int value);

}  // namespace gxr

extern "C" void gxr_extension(gxr::Extension&) { gxr::removed_from_the_sdk(1); }
