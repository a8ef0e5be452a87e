#pragma once

/// DLPack's structures, for Tensor::from_dlpack and Tensor::to_dlpack: the system's
/// <dlpack/dlpack.h> where there is one, else declarations with the same layout. A program with a
/// dlpack.h of its own includes that one first.
#if defined(DLPACK_DLPACK_H_)
// already declared
#elif __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else

#include <cstdint>

// NOLINTBEGIN(modernize-use-using): the definitions of a C header, which may be included as well
extern "C" {

/// Where memory lives; the device types that gxr can name.
typedef enum {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  std::int32_t device_id;
} DLDevice;

/// Kind of number; with DLDataType::bits it makes a type.
typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,
  kDLOpaqueHandle = 3U,
  kDLBfloat = 4U,
  kDLComplex = 5U,
} DLDataTypeCode;

typedef struct {
  std::uint8_t code;    ///< a DLDataTypeCode
  std::uint8_t bits;    ///< of one number
  std::uint16_t lanes;  ///< numbers in one element
} DLDataType;

typedef struct {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: row-major without gaps
  std::uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);  ///< null: nothing to release
} DLManagedTensor;

}  // extern "C"
   // NOLINTEND(modernize-use-using)
#endif
