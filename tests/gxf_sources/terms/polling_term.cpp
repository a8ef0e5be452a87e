#include "polling_term.hpp"

namespace acme {
namespace terms {

using nvidia::gxf::SchedulingConditionType;

gxf_result_t PollingTerm::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(polls_, "polls", "Polls",
                                 "How often the term says WAIT before each tick", 3UL);
  result &= registrar->parameter(count_, "count", "Count", "How many ticks there are");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t PollingTerm::initialize() {
  state_ = count_ == 0 ? SchedulingConditionType::NEVER : SchedulingConditionType::WAIT;
  asked_ = 0;
  executions_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t PollingTerm::check_abi(int64_t timestamp, SchedulingConditionType* type,
                                    int64_t* target_timestamp) const {
  if (type == nullptr || target_timestamp == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  *type = state_;
  *target_timestamp = state_ == SchedulingConditionType::READY ? since_ : timestamp;
  return GXF_SUCCESS;
}

gxf_result_t PollingTerm::onExecute_abi(int64_t) {
  ++executions_;
  asked_ = 0;
  state_ = executions_ == count_ ? SchedulingConditionType::NEVER : SchedulingConditionType::WAIT;
  return GXF_SUCCESS;
}

gxf_result_t PollingTerm::update_state_abi(int64_t timestamp) {
  if (state_ == SchedulingConditionType::WAIT && ++asked_ > polls_) {
    state_ = SchedulingConditionType::READY;
    since_ = timestamp;
  }
  return GXF_SUCCESS;
}

}  // namespace terms
}  // namespace acme
