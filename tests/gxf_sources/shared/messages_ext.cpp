#include "gxf/std/extension_factory_helper.hpp"
#include "shared/sample.hpp"

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x2b6f1a5e0c3d4f71, 0x9a1be6d2c7f04583, "SharedMessages",
                         "Types that other extensions share", "Acme", "1.0.0", "LICENSE");
GXF_EXT_FACTORY_ADD_0(0x2b6f1a5e0c3d4f72, 0x9a1be6d2c7f04584, acme::shared::Sample, "A sample");
GXF_EXT_FACTORY_ADD(0x2b6f1a5e0c3d4f73, 0x9a1be6d2c7f04585, acme::shared::Scale,
                    nvidia::gxf::Component, "Interface of what scales samples");
GXF_EXT_FACTORY_END()
