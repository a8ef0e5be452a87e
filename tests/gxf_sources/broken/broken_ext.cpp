#include "faulty.hpp"
#include "gxf/std/extension_factory_helper.hpp"

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x9a6017e2d4c84b53, 0x84f0b6a2e91d3c75, "BrokenExtension",
                         "Codelets that go wrong", "Acme", "1.0.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x9a6017e2d4c84b53, 0x84f0b6a2e91d3c76, acme::broken::Faulty,
                    nvidia::gxf::Codelet, "Does something wrong");
GXF_EXT_FACTORY_END()
