#include <cuda_runtime.h>

#include "gxf/cuda/cuda_event.hpp"
#include "transfer.hpp"

namespace nvidia {
namespace orchard {

namespace {

gxf::Expected<void> Copy(void* to, const void* from, size_t size,
                         const gxf::Handle<gxf::CudaStream>& stream) {
  const auto cuda_stream = stream->stream();
  if (!cuda_stream) {
    return gxf::ForwardError(cuda_stream);
  }
  const cudaError_t error = cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, cuda_stream.value());
  if (error != cudaSuccess) {
    GXF_LOG_ERROR("cudaMemcpyAsync: %s", cudaGetErrorString(error));
    return gxf::Unexpected{GXF_FAILURE};
  }
  return gxf::Success;
}

}  // namespace

gxf::Expected<void> Upload(void* frame, const void* host, size_t size,
                           gxf::Handle<gxf::CudaStream> stream) {
  return Copy(frame, host, size, stream);
}

gxf::Expected<void> Download(void* host, const void* frame, size_t size,
                             gxf::Handle<gxf::CudaStream> stream) {
  // The host reads the bytes after this, so that it waits for all work of the stream.
  return Copy(host, frame, size, stream).and_then([&] { return stream->syncStream(); });
}

gxf::Expected<void> RecordEvent(gxf::Entity& message, gxf::Handle<gxf::CudaStream> stream) {
  const auto cuda_stream = stream->stream();
  if (!cuda_stream) {
    return gxf::ForwardError(cuda_stream);
  }
  // The event of the message.
  auto part = message.add<gxf::CudaEvent>("uploaded");
  if (!part) {
    return gxf::ForwardError(part);
  }
  auto ready = part.value()->init(cudaEventDisableTiming);
  if (!ready) {
    return ready;
  }
  if (cudaEventRecord(part.value()->event().value(), cuda_stream.value()) != cudaSuccess) {
    return gxf::Unexpected{GXF_FAILURE};
  }
  // The event of the stream, which destroys it when it has waited for it.
  cudaEvent_t event = nullptr;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) {
    return gxf::Unexpected{GXF_FAILURE};
  }
  return stream->record(event, [](cudaEvent_t done) { cudaEventDestroy(done); });
}

}  // namespace orchard
}  // namespace nvidia
