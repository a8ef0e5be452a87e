// An extension whose strings have the layout of before C++11.

#include <gxr/extension_descriptor.hpp>

namespace {

constexpr gxr::ExtensionDescriptor altered() {
  gxr::ExtensionDescriptor d = gxr::make_extension_descriptor("other_tag", "1.0.0", "", "");
  const auto tag = std::string_view(d.abi_tag).find("cxx11=");
  d.abi_tag[tag + 6] = (d.abi_tag[tag + 6] == '1' ? '0' : '1');
  return d;
}

}  // namespace

extern "C" {
[[gnu::section(".gxr.extension"),
  gnu::visibility("default")]] extern const gxr::ExtensionDescriptor gxr_extension_descriptor;
[[gnu::used]] constinit const gxr::ExtensionDescriptor gxr_extension_descriptor = altered();
}
