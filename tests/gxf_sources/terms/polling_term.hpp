#pragma once

#include "gxf/std/scheduling_term.hpp"

namespace acme {
namespace terms {

// Ready when it has been asked often enough since the last tick. It says WAIT until then, so that
// it is asked again.
class PollingTerm : public nvidia::gxf::SchedulingTerm {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;

  gxf_result_t check_abi(int64_t timestamp, nvidia::gxf::SchedulingConditionType* type,
                         int64_t* target_timestamp) const override;
  gxf_result_t onExecute_abi(int64_t timestamp) override;
  gxf_result_t update_state_abi(int64_t timestamp) override;

 private:
  nvidia::gxf::Parameter<uint64_t> polls_;
  nvidia::gxf::Parameter<uint64_t> count_;

  nvidia::gxf::SchedulingConditionType state_ = nvidia::gxf::SchedulingConditionType::WAIT;
  int64_t since_ = 0;
  uint64_t asked_ = 0;
  uint64_t executions_ = 0;
};

}  // namespace terms
}  // namespace acme
