#include "counter.hpp"
#include "gxf/std/extension_factory_helper.hpp"

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x6f2a1d0c55e94b71, 0x9c3b7e8a12f40d65, "EmbedExtension",
                         "A counter for programs that embed GXF", "Acme", "1.0.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x1b64c7f29a8e4d03, 0x8f7d2c5e90a1b346, acme::embed::Counter,
                    nvidia::gxf::Codelet, "Adds a number in each tick");
GXF_EXT_FACTORY_END()
