// What an extension built for a newer gxr looks like.

#include <gxr/extension_descriptor.hpp>

namespace {

constexpr gxr::ExtensionDescriptor altered() {
  gxr::ExtensionDescriptor d = gxr::make_extension_descriptor("new_descriptor", "1.0.0", "", "");
  d.descriptor_version = 1000;
  return d;
}

}  // namespace

extern "C" {
[[gnu::section(".gxr.extension"),
  gnu::visibility("default")]] extern const gxr::ExtensionDescriptor gxr_extension_descriptor;
[[gnu::used]] constinit const gxr::ExtensionDescriptor gxr_extension_descriptor = altered();
}
