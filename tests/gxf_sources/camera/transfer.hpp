#pragma once

#include <cstddef>

#include "gxf/core/entity.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/cuda/cuda_stream.hpp"

namespace nvidia {
namespace orchard {

// Copies between the memory of a frame and host memory, in the order of a stream. transfer_cuda.cpp
// has the functions for builds with CUDA, transfer_host.cpp those for builds without, which fail
// with GXF_NOT_IMPLEMENTED.
gxf::Expected<void> Upload(void* frame, const void* host, size_t size,
                           gxf::Handle<gxf::CudaStream> stream);
gxf::Expected<void> Download(void* host, const void* frame, size_t size,
                             gxf::Handle<gxf::CudaStream> stream);

// Adds an event to a message that says when the work queued on a stream is done, and remembers it
// in the stream.
gxf::Expected<void> RecordEvent(gxf::Entity& message, gxf::Handle<gxf::CudaStream> stream);

}  // namespace orchard
}  // namespace nvidia
