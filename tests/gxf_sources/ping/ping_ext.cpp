#include "forward.hpp"
#include "gxf/core/gxf.h"
#include "gxf/std/extension_factory_helper.hpp"
#include "ping_message.hpp"
#include "ping_rx.hpp"
#include "ping_tx.hpp"

extern "C" {

GXF_EXT_FACTORY_BEGIN()

GXF_EXT_FACTORY_SET_INFO(0x3f1c7ad2904b4e61, 0x9b02d8e4517fc6a0, "PingExtension",
                         "Pings with a message type of their own", "Acme", "1.2.0", "Apache-2.0");
GXF_EXT_FACTORY_SET_DISPLAY_INFO("Ping", "Samples", "Sends and checks pings");

GXF_EXT_FACTORY_ADD_0(0x3f1c7ad2904b4e61, 0x9b02d8e4517fc6a1, acme::ping::PingMessage,
                      "A numbered message");
GXF_EXT_FACTORY_ADD(0x3f1c7ad2904b4e61, 0x9b02d8e4517fc6a2, acme::ping::PingTx,
                    nvidia::gxf::Codelet, "Sends a numbered message in every tick");
GXF_EXT_FACTORY_ADD_VERBOSE(0x3f1c7ad2904b4e61, 0x9b02d8e4517fc6a3, acme::ping::PingRx,
                            nvidia::gxf::Codelet, "Ping Rx", "Checks pings",
                            "Takes pings, and fails unless they are numbered one by one");
GXF_EXT_FACTORY_ADD_LITE(0x3f1c7ad2904b4e61, 0x9b02d8e4517fc6a4, acme::ping::Forward,
                         nvidia::gxf::Codelet);

GXF_EXT_FACTORY_END()

}  // extern "C"
