#include "legacy_stream.hpp"

#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"

namespace gxr::cuda {

LegacyStreamBan::LegacyStreamBan(int devices) {
  for (int device = 0; device < devices; ++device) {
    const DeviceGuard guard(device);
    StreamRef stream = nullptr;
    cuda_check("cudaStreamCreate", cudaStreamCreate(&stream));
    OwnedStream owned(stream);
    // Relaxed: only the legacy stream is of interest, and any thread may end the capture.
    cuda_check("cudaStreamBeginCapture",
               cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    captured_.push_back(std::move(owned));
  }
}

LegacyStreamBan::~LegacyStreamBan() {
  for (const OwnedStream& stream : captured_) {
    cudaGraph_t graph = nullptr;
    // Fails after the legacy stream was used, which has been reported.
    static_cast<void>(cudaStreamEndCapture(stream.get(), &graph));
    if (graph != nullptr) {
      static_cast<void>(cudaGraphDestroy(graph));
    }
  }
  static_cast<void>(cudaGetLastError());
}

}  // namespace gxr::cuda
