#include "cuda_streams.hpp"

#include "no_device.hpp"

namespace gxr::cuda {

void CudaStreamSync::declare(Interface& interface) {
  interface.input(rx_, "rx", "Messages whose streams are waited for, one per tick");
  interface.output(tx_, "tx", "The same messages; left out: they end here").optional();
}

void CudaStreamSync::initialize() { fail_without_device(*this); }
void CudaStreamSync::tick() { fail_without_device(*this); }

void DeviceWorkTerm::declare(Interface& interface) {
  interface.parameter(receiver_, "receiver", "Receiver whose oldest message is looked at");
}

void DeviceWorkTerm::initialize() { fail_without_device(*this); }
Condition DeviceWorkTerm::check(std::int64_t) { fail_without_device(*this); }

void DeviceWorkTerm::events(TermEvents& events) {
  events.message(*receiver_.get());
  events.notification();
}

void CudaEventSchedulingTerm::declare(Interface& interface) {
  DeviceWorkTerm::declare(interface);
  interface.parameter(event_name_, "event_name", "Name of the event's part in the message")
      .default_value("");
}

}  // namespace gxr::cuda
