#include "clock_source.hpp"

#include "gxf/std/eos.hpp"
#include "gxf/std/timestamp.hpp"

namespace acme {
namespace sync {

gxf_result_t ClockSource::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(output_, "output", "Output", "Transmitter of the numbers");
  result &= registrar->parameter(more_, "more", "More", "The term that is switched off at the end");
  result &= registrar->parameter(interval_, "interval", "Interval",
                                 "Between two acquisition times, in nanoseconds");
  result &= registrar->parameter(offset_, "offset", "Offset",
                                 "The first acquisition time, in nanoseconds", 0L);
  result &= registrar->parameter(count_, "count", "Count", "How many numbers there are");
  result &= registrar->parameter(stream_, "stream", "Stream", "The number of the stream", -1L);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t ClockSource::start() {
  number_ = 0;
  // A run before this one has switched the term off.
  return nvidia::gxf::ToResultCode(more_->enable_tick());
}

gxf_result_t ClockSource::tick() {
  if (number_ == count_) {
    auto end = nvidia::gxf::EndOfStream::createEoSMessage(context(), stream_.get());
    if (!end) {
      return end.error();
    }
    const auto off = more_->disable_tick();
    if (!off) {
      return off.error();
    }
    return nvidia::gxf::ToResultCode(output_->publish(end.value()));
  }
  auto message = nvidia::gxf::Entity::New(context());
  if (!message) {
    return message.error();
  }
  auto number = message.value().add<int64_t>("number");
  if (!number) {
    return number.error();
  }
  *number.value() = number_;
  const int64_t acqtime = offset_ + number_ * interval_;
  ++number_;
  return nvidia::gxf::ToResultCode(output_->publish(message.value(), acqtime));
}

}  // namespace sync
}  // namespace acme
