#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "gxf/std/scheduling_term.hpp"

namespace acme {
namespace terms {

// Ready when a thread of its own says so, as a driver of a device would.
class EventTerm : public nvidia::gxf::SchedulingTerm {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t deinitialize() override;

  gxf_result_t check_abi(int64_t timestamp, nvidia::gxf::SchedulingConditionType* type,
                         int64_t* target_timestamp) const override;
  gxf_result_t onExecute_abi(int64_t timestamp) override;

 private:
  enum class State { kIdle, kEvent, kTaken, kEnd };

  void runDevice();

  nvidia::gxf::Parameter<int64_t> interval_us_;
  nvidia::gxf::Parameter<int32_t> events_;

  std::thread device_;
  mutable std::mutex mutex_;
  std::condition_variable taken_;
  State state_ = State::kIdle;
  bool stopping_ = false;
};

}  // namespace terms
}  // namespace acme
