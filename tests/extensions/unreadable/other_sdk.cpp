// An extension built with an SDK whose minor version differs.

#include <gxr/extension_descriptor.hpp>

namespace {

constexpr gxr::ExtensionDescriptor altered() {
  gxr::ExtensionDescriptor d = gxr::make_extension_descriptor("other_sdk", "1.0.0", "", "");
  d.sdk_version[1] += 7;
  return d;
}

}  // namespace

extern "C" {
[[gnu::section(".gxr.extension"),
  gnu::visibility("default")]] extern const gxr::ExtensionDescriptor gxr_extension_descriptor;
[[gnu::used]] constinit const gxr::ExtensionDescriptor gxr_extension_descriptor = altered();
}
