#include "event_term.hpp"

#include <chrono>

#include "gxf/core/gxf.h"

namespace acme {
namespace terms {

using nvidia::gxf::SchedulingConditionType;

gxf_result_t EventTerm::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(interval_us_, "interval_us", "Interval",
                                 "Between two events, in microseconds", 1000L);
  result &= registrar->parameter(events_, "events", "Events", "How many events there are", 5);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t EventTerm::initialize() {
  state_ = State::kIdle;
  stopping_ = false;
  device_ = std::thread(&EventTerm::runDevice, this);
  return GXF_SUCCESS;
}

gxf_result_t EventTerm::deinitialize() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  taken_.notify_all();
  if (device_.joinable()) {
    device_.join();
  }
  return GXF_SUCCESS;
}

void EventTerm::runDevice() {
  for (int32_t i = 0; i <= events_; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(interval_us_.get()));
    {
      std::unique_lock<std::mutex> lock(mutex_);
      taken_.wait(lock, [this] { return stopping_ || state_ != State::kEvent; });
      if (stopping_) {
        return;
      }
      state_ = i == events_ ? State::kEnd : State::kEvent;
    }
    const gxf_result_t code = GxfEntityEventNotify(context(), eid());
    if (code != GXF_SUCCESS) {
      GXF_LOG_ERROR("The scheduler does not hear of an event: %s", GxfResultStr(code));
    }
  }
}

gxf_result_t EventTerm::check_abi(int64_t timestamp, SchedulingConditionType* type,
                                  int64_t* target_timestamp) const {
  std::lock_guard<std::mutex> lock(mutex_);
  switch (state_) {
    case State::kEvent:
      *type = SchedulingConditionType::READY;
      *target_timestamp = timestamp;
      break;
    case State::kEnd:
      *type = SchedulingConditionType::NEVER;
      break;
    default:
      *type = SchedulingConditionType::WAIT_EVENT;
      break;
  }
  return GXF_SUCCESS;
}

gxf_result_t EventTerm::onExecute_abi(int64_t) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_ == State::kEvent) {
      state_ = State::kTaken;
    }
  }
  taken_.notify_all();
  return GXF_SUCCESS;
}

}  // namespace terms
}  // namespace acme
