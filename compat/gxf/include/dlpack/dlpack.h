#pragma once

// DLPack's structures: the system's header where there is one, else declarations with the same
// layout and names.
#pragma GCC system_header  // include_next is an extension

#if __has_include_next(<dlpack/dlpack.h>)
#include_next <dlpack/dlpack.h>
#elif !defined(DLPACK_DLPACK_H_)
#define DLPACK_DLPACK_H_

#include <stdint.h>

#define DLPACK_VERSION 60

extern "C" {

/// Where memory is.
typedef enum {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
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
  uint8_t code;    ///< a DLDataTypeCode
  uint8_t bits;    ///< of one number
  uint16_t lanes;  ///< numbers in one element
} DLDataType;

typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;  ///< in elements; null: row-major without gaps
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);  ///< null: nothing to release
} DLManagedTensor;

}  // extern "C"

#endif
