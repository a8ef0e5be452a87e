// A section of the right name that another program wrote.

#include <gxr/extension_descriptor.hpp>

namespace {

constexpr gxr::ExtensionDescriptor altered() {
  gxr::ExtensionDescriptor d =
      gxr::make_extension_descriptor("foreign_descriptor", "1.0.0", "", "");
  d.magic[0] = 'X';
  return d;
}

}  // namespace

extern "C" {
[[gnu::section(".gxr.extension"),
  gnu::visibility("default")]] extern const gxr::ExtensionDescriptor gxr_extension_descriptor;
[[gnu::used]] constinit const gxr::ExtensionDescriptor gxr_extension_descriptor = altered();
}
