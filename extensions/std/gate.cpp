#include "gate.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gxr/host_copy.hpp"

namespace gxr {
namespace {

constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

std::int64_t time_after(std::int64_t time, std::int64_t span) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(time, span, &sum) ? kEndOfTime : sum;
}

/// The next message, which stays in its queue.
const Message& next_of(const Receiver& receiver) {
  const Message* const next = receiver.peek(0);
  if (next == nullptr) {
    throw receiver.size() == 0
        ? Error(ErrorCode::NotAvailable,
                "no message on '" + receiver.full_name() +
                    "'; a MessageAvailableSchedulingTerm on each input makes the entity wait")
        : Error(ErrorCode::NotSupported,
                "'" + receiver.full_name() +
                    "' shows no message before it is taken; a Gate needs a queue that does, such "
                    "as a DoubleBufferReceiver");
  }
  return *next;
}

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void Gate::declare(Interface& interface) {
  interface.input(in_, "in", "Messages to pass on, or not");
  interface.input(trigger_, "trigger", "Says for each message of 'in' whether something happens")
      .description(
          "One message for each of 'in'. Without this port, the messages of 'in' have the tensor "
          "themselves.")
      .optional();
  interface.output(out_, "out", "The same messages, while the gate is open");
  interface
      .parameter(tensor_name_, "tensor_name", "Tensor that says whether something happens",
                 "It does if any byte of it is not 0. So a number will do, and so will the boxes "
                 "of a detector: without boxes the tensor is empty.")
      .default_value("motion");
  interface
      .parameter(before_, "before", "How long before it something is passed on",
                 "By the acquisition time of the messages' Timestamp; by the time of the tick for "
                 "those without. The gate holds the messages of this time, with all their memory.")
      .default_value({});
  interface.parameter(after_, "after", "How long the gate stays open when nothing happens any more")
      .default_value({});
  interface
      .parameter(max_messages_, "max_messages", "Most messages that the closed gate holds",
                 "If there are more within 'before', the oldest are dropped. The first time, a "
                 "warning says so.")
      .unit("messages")
      .range(1, 1'000'000)
      .default_value(256);
}

void Gate::start() {
  open_ = false;
  warned_ = false;
  until_ = 0;
  latest_ = std::numeric_limits<std::int64_t>::min();
  passed_ = received_ = openings_ = 0;
}

bool Gate::happens(const Message& message) const {
  const std::string& name = tensor_name_.get();
  const auto* const tensor = name.empty() ? message.find<Tensor>() : message.find<Tensor>(name);
  if (tensor == nullptr) {
    throw Error(ErrorCode::NotFound, "'tensor_name': no tensor '" + name + "' in the message on '" +
                                         (trigger_ ? "trigger" : "in") + "'");
  }
  if (tensor->size() == 0) {
    return false;
  }
  const HostView memory(*tensor);
  return std::any_of(memory.pointer(), memory.pointer() + tensor->size(),
                     [](std::byte byte) { return byte != std::byte{0}; });
}

bool Gate::is_open(std::int64_t time, bool something_happens) {
  if (something_happens) {
    openings_ += open_ ? 0 : 1;
    open_ = true;
    until_ = time_after(time, after_.get().nanoseconds);
  } else if (open_ && time > until_) {
    open_ = false;
  }
  return open_;
}

void Gate::forget_before(std::int64_t time) {
  const std::int64_t before = before_.get().nanoseconds;
  while (!kept_.empty() && time_after(kept_.front().time, before) < time) {
    kept_.pop_front();
  }
}

void Gate::keep(Message message, std::int64_t time) {
  if (before_.get().nanoseconds == 0) {
    return;
  }
  kept_.push_back({std::move(message), time});
  if (kept_.size() <= max_messages_.get()) {
    return;
  }
  kept_.pop_front();
  if (!std::exchange(warned_, true)) {
    log_warning("more than " + counted(max_messages_.get(), "message") + " within 'before' (" +
                std::to_string(before_.get().nanoseconds / 1'000'000) +
                " ms): the oldest are dropped; raise 'max_messages' for all of them");
  }
}

void Gate::take(std::int64_t time, bool open) {
  if (trigger_) {
    static_cast<void>(trigger_->receive_unfinished());
  }
  Message message = in_->receive_unfinished();
  ++received_;
  latest_ = time;
  if (open) {
    ++passed_;
    return out_->publish(std::move(message));
  }
  keep(std::move(message), time);
}

void Gate::tick() {
  const Message& next = next_of(in_);
  const Message& trigger = trigger_ ? next_of(trigger_) : next;
  const auto* const timestamp = next.find<Timestamp>();
  const std::int64_t time = timestamp != nullptr ? timestamp->acqtime : execution_timestamp();
  if (time < latest_) {
    // The source has begun again: the kept messages are no longer the ones just before.
    kept_.clear();
    open_ = false;
  }
  trigger.wait_for_device();
  const bool open = is_open(time, happens(trigger));
  forget_before(time);
  if (open && !kept_.empty()) {
    Message kept = std::move(kept_.front().message);
    kept_.pop_front();
    ++passed_;
    return out_->publish(std::move(kept));
  }
  take(time, open);
}

void Gate::stop() {
  kept_.clear();
  log_info("passed " + std::to_string(passed_) + " of " + counted(received_, "message") + " on, " +
           "opened " + counted(openings_, "time"));
}

}  // namespace gxr
