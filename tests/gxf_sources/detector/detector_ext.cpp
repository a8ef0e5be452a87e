#include "boxes.hpp"
#include "candidate_source.hpp"
#include "detection_check.hpp"
#include "detector.hpp"
#include "gxf/std/extension_factory_helper.hpp"

extern "C" {

GXF_EXT_FACTORY_BEGIN()

GXF_EXT_FACTORY_SET_INFO(0x21e7d6405f0a4cb8, 0x97a3c15b80d4f62e, "DetectorExtension",
                         "Chooses boxes out of what a network found", "Meadow", "1.0.0",
                         "Apache-2.0");

GXF_EXT_FACTORY_ADD_0(0x21e7d6405f0a4cb8, 0x97a3c15b80d4f62f, nvidia::meadow::BoxList,
                      "The boxes of an image");
GXF_EXT_FACTORY_ADD_0_VERBOSE(0x21e7d6405f0a4cb8, 0x97a3c15b80d4f630, nvidia::meadow::Box, "Box",
                              "A box", "A box with a class and a score");

GXF_EXT_FACTORY_ADD(0x21e7d6405f0a4cb8, 0x97a3c15b80d4f631, nvidia::meadow::CandidateSource,
                    nvidia::gxf::Codelet, "Sends candidates as a network would");
GXF_EXT_FACTORY_ADD(0x21e7d6405f0a4cb8, 0x97a3c15b80d4f632, nvidia::meadow::Detector,
                    nvidia::gxf::Codelet, "Chooses the best boxes");
GXF_EXT_FACTORY_ADD(0x21e7d6405f0a4cb8, 0x97a3c15b80d4f633, nvidia::meadow::DetectionCheck,
                    nvidia::gxf::Codelet, "Compares boxes with the expected ones");

GXF_EXT_FACTORY_END()

}  // extern "C"
