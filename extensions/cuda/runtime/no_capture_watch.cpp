// Of toolkits without CUPTI.

#include "capture_watch.hpp"

namespace gxr::cuda {

CaptureWatch::CaptureWatch() : works_(false) {}
CaptureWatch::~CaptureWatch() = default;
std::string CaptureWatch::call_elsewhere() const { return {}; }

}  // namespace gxr::cuda
