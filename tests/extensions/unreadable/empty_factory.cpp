#include <gxr/gxr.hpp>

extern "C" void gxr_extension(gxr::Extension&) {}
