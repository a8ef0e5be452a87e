#pragma once

#include <cstdint>
#include <string>

#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/gxf.h"

namespace nvidia {
namespace gxf {

// Times are in seconds, timestamps in nanoseconds.
GXR_GXF_API int64_t TimeToTimestamp(double time);
GXR_GXF_API double TimestampToTime(int64_t timestamp);

/// Nanoseconds of a text such as "10ms", "1.5 s", "30Hz" or "1000" (ns); GXF_ARGUMENT_INVALID for
/// others. The log names the component.
GXR_GXF_API Expected<int64_t> ParseRecessPeriodString(std::string text, const gxf_uid_t& cid);

/// Microseconds of a clock that never goes back.
GXR_GXF_API uint64_t getCurrentTimeUs();

}  // namespace gxf
}  // namespace nvidia
