// Compiled into each library of sources for GXF: how gxr finds the types of those that are
// extensions.

#include <gxr/extension_descriptor.hpp>

#include "gxf/core/layer_fingerprint.hpp"
#include "gxf/std/default_extension.hpp"

#ifndef GXR_GXF_EXTENSION_VERSION
#define GXR_GXF_EXTENSION_VERSION "0.0.0"
#endif

// Made by the factory macros; a library without them is none of gxr's extensions.
extern "C" __attribute__((weak, visibility("hidden"))) gxf_result_t gxr_gxf_factory(void** result);

extern "C" __attribute__((visibility("default"))) void gxr_extension(gxr::Extension& extension) {
  nvidia::gxf::layer::RegisterExtension(extension, &gxr_gxf_factory,
                                        nvidia::gxf::layer::kLayerFingerprint);
}

namespace {

// Other libraries that are linked with this one use its types, also when gxr needs none of them.
[[maybe_unused]] const bool gxr_gxf_types_are_known =
    nvidia::gxf::layer::RegisterTypes(&gxr_gxf_factory);

}  // namespace

extern "C" {
extern __attribute__((visibility("default")))
const gxr::ExtensionDescriptor gxr_extension_descriptor;
__attribute__((section(".gxr.extension"), used))
const gxr::ExtensionDescriptor gxr_extension_descriptor = gxr::make_extension_descriptor(
    GXR_GXF_EXTENSION_NAME, GXR_GXF_EXTENSION_VERSION, "", "Built from sources for GXF");
}
