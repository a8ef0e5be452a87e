#pragma once

#include <cstddef>
#include <cstdint>

#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif

#include "gxf/core/export.hpp"
#include "gxf/std/complex.hpp"

namespace nvidia {
namespace gxf {

/// Type of a tensor's elements.
enum class PrimitiveType : int32_t {
  kCustom = 0,
  kInt8 = 1,
  kUnsigned8 = 2,
  kInt16 = 3,
  kUnsigned16 = 4,
  kInt32 = 5,
  kUnsigned32 = 6,
  kInt64 = 7,
  kUnsigned64 = 8,
  kFloat32 = 9,
  kFloat64 = 10,
  kComplex64 = 11,
  kComplex128 = 12,
  kFloat16 = 13,
};

/// Bytes of one element; 0 for kCustom.
GXR_GXF_API uint64_t PrimitiveTypeSize(PrimitiveType primitive);

/// `value` and `size` of the types that elements may have.
template <typename T>
struct PrimitiveTypeTraits;

/// The traits of a type, for use in namespace nvidia::gxf, with or without a semicolon.
#define GXF_PRIMITIVE_TYPE_TRAITS(TYPE, ENUM)                   \
  template <>                                                   \
  struct PrimitiveTypeTraits<TYPE> {                            \
    static constexpr PrimitiveType value = PrimitiveType::ENUM; \
    static constexpr ::std::size_t size = sizeof(TYPE);         \
  };

GXF_PRIMITIVE_TYPE_TRAITS(int8_t, kInt8)
GXF_PRIMITIVE_TYPE_TRAITS(uint8_t, kUnsigned8)
GXF_PRIMITIVE_TYPE_TRAITS(int16_t, kInt16)
GXF_PRIMITIVE_TYPE_TRAITS(uint16_t, kUnsigned16)
GXF_PRIMITIVE_TYPE_TRAITS(int32_t, kInt32)
GXF_PRIMITIVE_TYPE_TRAITS(uint32_t, kUnsigned32)
GXF_PRIMITIVE_TYPE_TRAITS(int64_t, kInt64)
GXF_PRIMITIVE_TYPE_TRAITS(uint64_t, kUnsigned64)
GXF_PRIMITIVE_TYPE_TRAITS(float, kFloat32)
GXF_PRIMITIVE_TYPE_TRAITS(double, kFloat64)
GXF_PRIMITIVE_TYPE_TRAITS(complex64, kComplex64)
GXF_PRIMITIVE_TYPE_TRAITS(complex128, kComplex128)
#if __has_include(<cuda_fp16.h>)
GXF_PRIMITIVE_TYPE_TRAITS(__half, kFloat16)
#endif

}  // namespace gxf
}  // namespace nvidia
