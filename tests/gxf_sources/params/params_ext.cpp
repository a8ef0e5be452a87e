#include "gauge.hpp"
#include "gauge_reader.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "parameter_ask.hpp"
#include "parameter_show.hpp"

extern "C" {

GXF_EXT_FACTORY_BEGIN()

GXF_EXT_FACTORY_SET_INFO(0x0d7e94c3b15f4a26, 0xb8e23f61a9d0754c, "ParamsExtension",
                         "Parameters of every kind", "Acme", "3.0.0", "Apache-2.0");

GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d0754d, acme::params::Gauge,
                    nvidia::gxf::Component, "Something that measures");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d0754e, acme::params::FixedGauge,
                    acme::params::Gauge, "Always measures the same");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d0754f, acme::params::RisingGauge,
                    acme::params::Gauge, "Measures more each time");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d07550, acme::params::Calibration,
                    nvidia::gxf::Component, "Corrects values");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d07551, acme::params::GaugeReader,
                    nvidia::gxf::Codelet, "Reads two gauges");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d07552, acme::params::ParameterShow,
                    nvidia::gxf::Codelet, "Shows parameters of every kind");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d07553, acme::params::TunableParameterShow,
                    acme::params::ParameterShow,
                    "Shows parameters of every kind, and those for tuning");
GXF_EXT_FACTORY_ADD(0x0d7e94c3b15f4a26, 0xb8e23f61a9d07554, acme::params::ParameterAsk,
                    nvidia::gxf::Codelet, "Asks for parameters by the C interface");

GXF_EXT_FACTORY_END()

}  // extern "C"
