#pragma once

#include <cstdint>

#include "gxf/core/export.hpp"

namespace nvidia {
namespace gxf {

/// The answer of a scheduling term.
enum class SchedulingConditionType : std::int32_t {
  NEVER = 0,
  READY = 1,
  WAIT = 2,
  WAIT_TIME = 3,
  WAIT_EVENT = 4,
};

struct SchedulingCondition {
  SchedulingConditionType type;
  std::int64_t target_timestamp;
};

/// Both answers together, as all terms of an entity are taken together.
GXR_GXF_API SchedulingCondition AndCombine(SchedulingCondition a, SchedulingCondition b);
GXR_GXF_API const char* SchedulingConditionTypeStr(SchedulingConditionType type);

}  // namespace gxf
}  // namespace nvidia
