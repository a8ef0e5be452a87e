#include "gxf/std/extension_factory_helper.hpp"
#include "tensor_check.hpp"
#include "tensor_filter.hpp"
#include "tensor_source.hpp"

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0xc8d4f0712b9e4653, 0xb1f5a80d46c7923e, "FilterExtension",
                         "Filters tensors", "Acme", "0.1.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0xc8d4f0712b9e4653, 0xb1f5a80d46c7923f, acme::filter::TensorSource,
                    nvidia::gxf::Codelet, "Sends tensors whose elements count up");
GXF_EXT_FACTORY_ADD(0xc8d4f0712b9e4653, 0xb1f5a80d46c79240, acme::filter::TensorFilter,
                    nvidia::gxf::Codelet, "Filters the rows of a tensor");
GXF_EXT_FACTORY_ADD(0xc8d4f0712b9e4653, 0xb1f5a80d46c79241, acme::filter::TensorCheck,
                    nvidia::gxf::Codelet, "Compares tensors with the expected ones");
GXF_EXT_FACTORY_END()
