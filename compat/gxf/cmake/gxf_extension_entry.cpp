// Compiled into each extension of GXF's sources: how gxr finds its types.

#include "gxf/core/layer_fingerprint.hpp"
#include "gxf/std/default_extension.hpp"

extern "C" gxf_result_t GxfExtensionFactory(void** result);

extern "C" __attribute__((visibility("default"))) void gxr_extension(gxr::Extension& extension) {
  nvidia::gxf::layer::RegisterExtension(extension, &GxfExtensionFactory,
                                        nvidia::gxf::layer::kLayerFingerprint);
}
