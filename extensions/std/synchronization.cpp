#include "synchronization.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace gxr {
namespace {

std::int64_t acquired(const Receiver& input, std::size_t index) {
  const Message* message = input.peek(index);
  const Timestamp* timestamp = message != nullptr ? message->find<Timestamp>() : nullptr;
  if (timestamp == nullptr) {
    throw Error(ErrorCode::NotFound,
                "message " + std::to_string(index) + " on '" + input.full_name() +
                    "' has no Timestamp, so it cannot be compared with the others");
  }
  return timestamp->acqtime;
}

}  // namespace

void Synchronization::declare(Interface& interface) {
  interface.parameter(inputs_, "inputs", "Receivers whose messages are passed on together");
  interface.parameter(outputs_, "outputs", "Where the messages go: one transmitter for each input");
  interface
      .parameter(sync_threshold_, "sync_threshold",
                 "Greatest difference of acquisition times that counts as the same time")
      .default_value(0)
      .minimum(0)
      .unit("ns");
}

void Synchronization::start() {
  const std::size_t inputs = inputs_->size();
  const std::size_t outputs = outputs_->size();
  if (inputs != outputs || inputs < 2) {
    throw Error(ErrorCode::InvalidParameter, "needs at least 2 inputs and as many outputs; has " +
                                                 std::to_string(inputs) + " inputs and " +
                                                 std::to_string(outputs) + " outputs");
  }
}

void Synchronization::tick() {
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();
  for (const Handle<Receiver>& input : *inputs_) {
    if (input->size() == 0) {
      throw Error(ErrorCode::NotAvailable,
                  "no message on '" + input->full_name() +
                      "'; a MessageAvailableSchedulingTerm on each input makes the entity wait");
    }
    for (std::size_t i = 0; i < input->size(); ++i) {
      static_cast<void>(acquired(*input, i));  // each must have a time
    }
    latest = std::max(latest, acquired(*input, 0));
  }
  for (const Handle<Receiver>& input : *inputs_) {
    while (input->size() > 0 && acquired(*input, 0) < latest - *sync_threshold_) {
      static_cast<void>(input->receive_unfinished());
    }
  }
  const auto match = find_match(latest);
  if (!match) {
    return;
  }
  for (std::size_t i = 0; i < inputs_->size(); ++i) {
    Receiver& input = *(*inputs_)[i].get();
    for (std::size_t passed = 0; passed < (*match)[i]; ++passed) {
      static_cast<void>(input.receive_unfinished());
    }
    (*outputs_)[i]->publish(input.receive_unfinished());
  }
}

std::optional<std::vector<std::size_t>> Synchronization::find_match(std::int64_t latest) const {
  const std::int64_t threshold = *sync_threshold_;
  std::int64_t from = latest - threshold;
  std::int64_t to = latest + threshold;
  std::vector<std::size_t> match;
  for (const Handle<Receiver>& input : *inputs_) {
    std::size_t index = 0;
    while (index < input->size() && acquired(*input, index) < from) {
      ++index;
    }
    if (index == input->size() || acquired(*input, index) > to) {
      return std::nullopt;
    }
    // What is found narrows the window, so that every two messages are close to each other.
    const std::int64_t time = acquired(*input, index);
    from = std::max(from, time - threshold);
    to = std::min(to, time + threshold);
    match.push_back(index);
  }
  return match;
}

}  // namespace gxr
