// A library in the place of libgxr_cuda.so, whose interface has the version that DEVICE_INTERFACE
// says. It has no engine: what is asked for one says so.

#include <gxr/error.hpp>

extern "C" {
[[gnu::visibility("default")]] const char* gxr_device_interface() { return DEVICE_INTERFACE; }
[[gnu::visibility("default")]] void* gxr_device_runtime() {
  throw gxr::Error(gxr::ErrorCode::NotSupported, "the stub was asked for its engine");
}
}
