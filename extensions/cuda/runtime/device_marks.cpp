#include "device_marks.hpp"

#include <cuda_runtime_api.h>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"

namespace gxr::cuda {

DeviceMarks::Marks& DeviceMarks::marks_of(int device) {
  Marks& marks = marks_[device];
  if (marks.context == nullptr) {
    const DeviceGuard guard(device);
    marks.event = make_event();
    driver_check("cuCtxGetCurrent", driver().context_get_current(&marks.context));
  }
  return marks;
}

/// Has the last mark been passed?
bool DeviceMarks::poll(Marks& marks) {
  if (!marks.is_passed) {
    const cudaError_t state = cudaEventQuery(marks.event.get());
    if (state != cudaErrorNotReady) {
      marks.is_passed = true;
      cuda_check("cudaEventQuery", state);
    }
  }
  return marks.is_passed;
}

std::optional<std::uint64_t> DeviceMarks::unpassed(int device) {
  const std::lock_guard lock(mutex_);
  Marks& marks = marks_of(device);
  if (!poll(marks)) {
    return marks.last;
  }
  const DeviceGuard guard(device);
  if (driver().context_record_event(marks.context, marks.event.get()) != CUDA_SUCCESS) {
    return std::nullopt;
  }
  ++marks.last;
  marks.is_passed = false;
  return poll(marks) ? std::nullopt : std::optional(marks.last);
}

bool DeviceMarks::is_passed(int device, std::uint64_t mark) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    Marks& marks = marks_of(device);
    return marks.last > mark || poll(marks);
  } catch (const std::exception&) {
    return true;
  }
}

}  // namespace gxr::cuda
