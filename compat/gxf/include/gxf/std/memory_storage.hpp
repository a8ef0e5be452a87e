#pragma once

#include <cstdint>

namespace nvidia {
namespace gxf {

/// Where memory is.
enum struct MemoryStorageType : int32_t {
  kHost = 0,         ///< page-locked, reachable by the GPU
  kDevice = 1,       ///< on the GPU
  kSystem = 2,       ///< the heap
  kCudaManaged = 3,  ///< moved by the driver to where it is used; allocators do not give it
};

enum struct AllocatorStage : uint8_t {
  kUninitialized = 0,
  kInitializationInProgress = 1,
  kInitialized = 2,
  kDeinitializationInProgress = 3,
};

}  // namespace gxf
}  // namespace nvidia
