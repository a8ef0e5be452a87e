#include "camera_check.hpp"
#include "camera_source.hpp"
#include "gxf/std/extension_factory_helper.hpp"

extern "C" {

GXF_EXT_FACTORY_BEGIN()

GXF_EXT_FACTORY_SET_INFO(0x7b1e0c95d3a84f26, 0x8c47a1f9603eb2d0, "CameraExtension",
                         "A camera that needs no hardware", "Orchard", "2.0.1", "Apache-2.0");

GXF_EXT_FACTORY_ADD(0x7b1e0c95d3a84f26, 0x8c47a1f9603eb2d1, nvidia::orchard::CameraSource,
                    nvidia::gxf::Codelet, "Makes frames with a known pattern");

GXF_EXT_FACTORY_ADD(0x7b1e0c95d3a84f26, 0x8c47a1f9603eb2d2, nvidia::orchard::CameraCheck,
                    nvidia::gxf::Codelet, "Compares frames with what CameraSource makes");

GXF_EXT_FACTORY_END()

}  // extern "C"
