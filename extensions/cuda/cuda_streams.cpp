#include "cuda_streams.hpp"

#include <utility>

#include "gxr/cuda/data.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr::cuda {
namespace {

using std::chrono::steady_clock;

}  // namespace

void CudaStreamSync::declare(Interface& interface) {
  interface.input(rx_, "rx", "Messages whose device work is waited for, one per tick");
  interface.output(tx_, "tx", "The same messages; left out: they end here").optional();
}

void CudaStreamSync::tick() {
  const Message message = rx_->receive_unfinished();
  if (const DeviceWork work = work_behind(message); work) {
    work.stream->wait_on_host(work.number);
  }
  if (tx_) {
    tx_.publish(message);
  }
}

void DeviceWorkTerm::initialize() { watched_ = {}; }

void DeviceWorkTerm::deinitialize() {
  if (std::exchange(watches_, false)) {
    DeviceRuntime::get().stop_watching(*this);
  }
}

void DeviceWorkTerm::events(TermEvents& events) {
  for (Receiver* receiver : receivers()) {
    events.message(*receiver);
  }
  events.notification();
}

std::string DeviceWorkTerm::explain() const {
  return watched_ ? "work of GPU " + std::to_string(watched_.stream->device()) + " is not done"
                  : "no message whose work can be waited for";
}

Condition DeviceWorkTerm::check(std::int64_t now) {
  const Awaited what = awaited();
  if (!what.messages) {
    return {ConditionType::Wait, 0};
  }
  for (const DeviceWork& work : what.works) {
    if (!work.stream->is_done(work.number)) {
      return wait_for(work);
    }
  }
  watched_ = {};
  return {ConditionType::Ready, now};
}

Condition DeviceWorkTerm::wait_for(const DeviceWork& work) {
  const auto now = steady_clock::now();
  const std::chrono::milliseconds timeout{timeout_ms()};
  if (watched_.stream != work.stream || watched_.number != work.number) {
    watched_ = work;
    since_ = now;
  } else if (timeout.count() > 0 && now - since_ >= timeout) {
    throw Error(ErrorCode::NotAvailable,
                "the GPU did not finish the work behind a message within " +
                    std::to_string(timeout.count()) + " ms; " + hint_for_timeout());
  }
  watches_ = true;
  DeviceRuntime::get().watch(work, *this, timeout);
  return {ConditionType::WaitEvent, 0};
}

void OldestMessageTerm::declare(Interface& interface) {
  interface.parameter(receiver_, "receiver", "Receiver whose oldest message is looked at");
}

DeviceWorkTerm::Awaited OldestMessageTerm::awaited() {
  const Message* message = receiver_->oldest();
  Awaited what;
  DeviceWork work;
  if (message != nullptr && *message && work_of(*message, work)) {
    what.messages = true;
    if (work) {
      what.works.push_back(work);
    }
  }
  return what;
}

bool CudaStreamSchedulingTerm::work_of(const Message& message, DeviceWork& work) const {
  work = work_behind(message);
  return true;
}

void CudaEventSchedulingTerm::declare(Interface& interface) {
  OldestMessageTerm::declare(interface);
  interface.parameter(event_name_, "event_name", "Name of the event's part in the message")
      .default_value("");
}

bool CudaEventSchedulingTerm::work_of(const Message& message, DeviceWork& work) const {
  const auto* event = message.find<CudaEvent>(*event_name_);
  if (event != nullptr) {
    work = event->work;
  }
  return event != nullptr;
}

bool CudaBufferAvailableSchedulingTerm::work_of(const Message& message, DeviceWork& work) const {
  if (const auto* buffer = message.find<CudaBuffer>(); buffer != nullptr) {
    work = buffer->work;
  }
  return true;
}

void CudaStreamCondition::declare(Interface& interface) {
  interface.parameter(receiver_, "receiver", "Receiver whose messages are looked at").optional();
  interface.parameter(receivers_, "receivers", "Receivers whose messages are looked at")
      .description("Every one must have a message, and the work behind all messages must be done.")
      .optional();
  interface.parameter(timeout_ms_, "timeout_ms", "How long the work behind a message may take")
      .description("Then the run fails. 0: for ever.")
      .default_value(10000)
      .minimum(0)
      .unit("ms");
}

void CudaStreamCondition::initialize() {
  if (receivers().empty()) {
    throw Error(ErrorCode::InvalidParameter,
                "neither 'receiver' nor 'receivers' names a receiver to look at");
  }
  for (const Receiver* receiver : receivers()) {
    if (receiver == nullptr) {
      throw Error(ErrorCode::InvalidParameter, "one of 'receivers' is <Unspecified>");
    }
  }
  DeviceWorkTerm::initialize();
}

std::vector<Receiver*> CudaStreamCondition::receivers() const {
  std::vector<Receiver*> all;
  if (receiver_.has_value()) {
    all.push_back(receiver_.get().get());
  }
  if (receivers_.has_value()) {
    for (const Handle<Receiver>& receiver : *receivers_) {
      all.push_back(receiver.get());
    }
  }
  return all;
}

DeviceWorkTerm::Awaited CudaStreamCondition::awaited() {
  Awaited what{true, {}};
  for (const Receiver* receiver : receivers()) {
    if (receiver->at(0) == nullptr) {
      return {};
    }
    for (std::size_t i = 0; const Message* message = receiver->at(i); ++i) {
      if (const DeviceWork work = work_behind(*message); work) {
        what.works.push_back(work);
      }
    }
  }
  return what;
}

}  // namespace gxr::cuda
