#include "clock_source.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "pair_check.hpp"
#include "synchronizer.hpp"

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x5d20b7f41c8e4932, 0xa46ef0d3187b25c0, "SyncExtension",
                         "Joins messages by their acquisition times", "Acme", "0.3.0",
                         "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x5d20b7f41c8e4932, 0xa46ef0d3187b25c1, acme::sync::ClockSource,
                    nvidia::gxf::Codelet, "Sends numbers with acquisition times of its own rate");
GXF_EXT_FACTORY_ADD(0x5d20b7f41c8e4932, 0xa46ef0d3187b25c2, acme::sync::Synchronizer,
                    nvidia::gxf::Codelet,
                    "Joins messages of two inputs by their acquisition times");
GXF_EXT_FACTORY_ADD(0x5d20b7f41c8e4932, 0xa46ef0d3187b25c3, acme::sync::PairCheck,
                    nvidia::gxf::Codelet, "Compares pairs with the expected ones");
GXF_EXT_FACTORY_END()
