#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlpack/dlpack.h>

#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/std/tensor.hpp"

namespace nvidia {
namespace gxf {

// GXF_ARGUMENT_NULL for a null pointer, GXF_ARGUMENT_OUT_OF_RANGE for what a Shape or strides
// cannot say, GXF_INVALID_DATA_FORMAT for types that the other side does not know,
// GXF_MEMORY_INVALID_STORAGE_MODE for other devices.

GXR_GXF_API Expected<Shape> ShapeFromDLTensor(const DLTensor* dl_tensor);
/// In bytes.
GXR_GXF_API Expected<Tensor::stride_array_t> StridesFromDLTensor(const DLTensor* dl_tensor);
GXR_GXF_API Expected<MemoryStorageType> MemoryStorageTypeFromDLTensor(const DLTensor* dl_tensor);
GXR_GXF_API Expected<PrimitiveType> PrimitiveTypeFromDLDataType(const DLDataType& dtype);
GXR_GXF_API Expected<DLDataType> PrimitiveTypeToDLDataType(PrimitiveType element_type,
                                                           uint16_t lanes = 1);
/// Where memory is. Page-locked memory and that of the heap cannot be told apart: kDLCPU.
GXR_GXF_API Expected<DLDevice> DLDeviceFromPointer(void* pointer);
/// From the text that numpy has for a type: "<f4", "|u1".
GXR_GXF_API Expected<DLDataType> DLDataTypeFromTypeString(const std::string& typestr);
GXR_GXF_API Expected<const char*> numpyTypestr(DLDataType dtype);
/// Row-major strides for the shape of a tensor, in bytes or elements.
GXR_GXF_API Expected<void> ComputeDLPackStrides(const DLTensor& tensor,
                                                std::vector<int64_t>& strides,
                                                bool to_num_elements = false);

}  // namespace gxf
}  // namespace nvidia
