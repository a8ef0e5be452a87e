#include "runtime_tools.hpp"

#include <nvtx3/nvToolsExt.h>

#include "capture_watch.hpp"
#include "driver.hpp"
#include "stream_spans.hpp"

namespace gxr::cuda {

void RuntimeTools::push_range(const char* name) noexcept { nvtxRangePushA(name); }

void RuntimeTools::pop_range() noexcept { nvtxRangePop(); }

void RuntimeTools::forbid_legacy_stream() {
  const std::lock_guard lock(mutex_);
  if (bans_ == 0) {
    ban_ = std::make_unique<LegacyStreamBan>(devices_);
  }
  ++bans_;
}

void RuntimeTools::allow_legacy_stream() noexcept {
  const std::lock_guard lock(mutex_);
  if (--bans_ == 0) {
    ban_.reset();
  }
}

bool RuntimeTools::checks_captures() { return checks_streams() && CaptureWatch().works(); }

bool RuntimeTools::loads_kernels_late() const {
  CUmoduleLoadingMode mode{};
  driver_check("cuModuleGetLoadingMode", driver().module_loading_mode(&mode));
  return mode == CU_MODULE_LAZY_LOADING;
}

std::unique_ptr<DeviceSpans> RuntimeTools::make_spans() { return std::make_unique<StreamSpans>(); }

}  // namespace gxr::cuda
