// Its type list, of an older build, names test::Gone.

#include <gxr/gxr.hpp>

extern "C" void gxr_extension(gxr::Extension&) {}
