#include "gxf/cuda/cuda_event.hpp"

#include <utility>

#include "cuda_driver.hpp"
#include "cuda_streams.hpp"
#include "native.hpp"

namespace nvidia::gxf {
namespace layer {

static_assert(sizeof(CudaEvent) == sizeof(gxr::cuda::CudaEvent) &&
              alignof(CudaEvent) == alignof(gxr::cuda::CudaEvent));

gxr::cuda::CudaEvent& to_native(CudaEvent& event) noexcept {
  return *std::launder(reinterpret_cast<gxr::cuda::CudaEvent*>(&event));
}
const gxr::cuda::CudaEvent& to_native(const CudaEvent& event) noexcept {
  return *std::launder(reinterpret_cast<const gxr::cuda::CudaEvent*>(&event));
}

namespace {

/// What destroys the event with the last part that names it.
std::shared_ptr<void> owner_of(CUevent_st* event, int device) {
  return {event, [device](void* gone) {
            CudaDriver::get().destroy_event(static_cast<CUevent_st*>(gone), device);
          }};
}

}  // namespace
}  // namespace layer

CudaEvent::CudaEvent() { new (static_cast<void*>(native_)) gxr::cuda::CudaEvent(); }
CudaEvent::CudaEvent(CudaEvent&& other) noexcept {
  new (static_cast<void*>(native_))
      gxr::cuda::CudaEvent(std::exchange(layer::to_native(other), gxr::cuda::CudaEvent()));
}
CudaEvent& CudaEvent::operator=(CudaEvent&& other) noexcept {
  if (this != &other) {
    layer::to_native(*this) = std::exchange(layer::to_native(other), gxr::cuda::CudaEvent());
  }
  return *this;
}
CudaEvent::~CudaEvent() { layer::to_native(*this).~CudaEvent(); }

Expected<void> CudaEvent::init(std::uint32_t flags, int dev_id) {
  return ExpectedOrCode(layer::guarded([&] {
    gxr::cuda::CudaEvent& native = layer::to_native(*this);
    native = {};
    const layer::CudaDriver& driver = layer::CudaDriver::get();
    const int device = dev_id >= 0 ? dev_id : driver.current_device();
    CUevent_st* const event = driver.create_event(flags, device);
    native = {{}, event, device, layer::owner_of(event, device)};
    return GXF_SUCCESS;
  }));
}

Expected<void> CudaEvent::initWithEvent(cudaEvent_t event, int dev_id,
                                        std::function<void(cudaEvent_t)> free) {
  if (event == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  return ExpectedOrCode(layer::guarded([&] {
    const int device = dev_id >= 0 ? dev_id : layer::CudaDriver::get().current_device();
    gxr::cuda::CudaEvent& native = layer::to_native(*this);
    native = {{}, event, device, nullptr};
    if (free) {
      native.owner = std::shared_ptr<void>(
          event, [free = std::move(free)](void* gone) { free(static_cast<cudaEvent_t>(gone)); });
    }
    return GXF_SUCCESS;
  }));
}

Expected<void> CudaEvent::deinit() {
  layer::to_native(*this) = {};
  return Success;
}

Expected<cudaEvent_t> CudaEvent::event() const {
  auto& native = const_cast<gxr::cuda::CudaEvent&>(layer::to_native(*this));
  if (native.event == nullptr && native.work) {
    const gxf_result_t code = layer::guarded([&] {
      native.device = native.work.stream->device();
      native.event = layer::CudaDriver::get().event_behind(native.work);
      native.owner = layer::owner_of(native.event, native.device);
      return GXF_SUCCESS;
    });
    if (code != GXF_SUCCESS) {
      return Unexpected{code};
    }
  }
  if (native.event == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return native.event;
}

int CudaEvent::dev_id() const {
  const gxr::cuda::CudaEvent& native = layer::to_native(*this);
  return native.event == nullptr && native.work ? native.work.stream->device() : native.device;
}

}  // namespace nvidia::gxf
