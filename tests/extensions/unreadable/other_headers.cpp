// An extension built with other public headers, of a version that is yet to come.

#include <gxr/extension_descriptor.hpp>

namespace {

constexpr gxr::ExtensionDescriptor altered() {
  gxr::ExtensionDescriptor d = gxr::make_extension_descriptor("other_headers", "1.0.0", "", "");
  d.sdk_version[1] += 7;
  const auto fingerprint = std::string_view(d.abi_tag).find("sdk=") + 4;
  d.abi_tag[fingerprint] = (d.abi_tag[fingerprint] == '0' ? '1' : '0');
  return d;
}

}  // namespace

extern "C" {
[[gnu::section(".gxr.extension"),
  gnu::visibility("default")]] extern const gxr::ExtensionDescriptor gxr_extension_descriptor;
[[gnu::used]] constinit const gxr::ExtensionDescriptor gxr_extension_descriptor = altered();
}
