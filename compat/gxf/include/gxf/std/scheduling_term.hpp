#pragma once

#include <cstdint>

#include "gxf/core/component.hpp"
#include "gxf/std/scheduling_condition.hpp"

namespace nvidia {
namespace gxf {

/// Decides when the codelets of its entity may tick. gxr asks again after each event of the entity
/// and, as long as the answer is WAIT, every millisecond; after WAIT_EVENT only when
/// GxfEntityEventNotify() is called.
class GXR_GXF_API SchedulingTerm : public Component {
 public:
  ~SchedulingTerm() override;

  virtual gxf_result_t check_abi(std::int64_t timestamp, SchedulingConditionType* type,
                                 std::int64_t* target_timestamp) const = 0;
  virtual gxf_result_t onExecute_abi(std::int64_t timestamp) = 0;
  virtual gxf_result_t update_state_abi(std::int64_t timestamp);

  Expected<SchedulingCondition> check(std::int64_t timestamp) const;
  Expected<void> onExecute(std::int64_t timestamp);

  // Of the layer.
  gxr::Component* make_adapter() override;
};

}  // namespace gxf
}  // namespace nvidia
