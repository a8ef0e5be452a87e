#include "cuda_call.hpp"

#include <utility>

#include "gxr/error.hpp"
#include "runtime.hpp"

namespace gxr::cuda {

std::string cuda_error_text(const char* call, cudaError_t error) {
  return std::string(call) + ": " + cudaGetErrorName(error) + " (" +
         std::to_string(static_cast<int>(error)) + "), " + cudaGetErrorString(error);
}

bool is_sticky(cudaError_t error) noexcept {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

void throw_cuda_error(const char* call, cudaError_t error) {
  std::string text = cuda_error_text(call, error);
  static_cast<void>(cudaGetLastError());
  if (is_sticky(error)) {
    text += "; the GPU's work has failed";
    if (const std::string users = runtime().in_flight().users(); !users.empty()) {
      text += ", most likely that of " + users;
    }
  }
  if (error == cudaErrorStreamCaptureImplicit) {
    text +=
        "; work was put on the legacy default stream (stream 0), which --check-streams forbids: "
        "give kernels and copies the stream that the codelet has from streams.stream()";
  }
  throw Error(ErrorCode::Device, std::move(text));
}

}  // namespace gxr::cuda
