#include "synchronization.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace gxr {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

/// `span` is not negative: a threshold may be as great as no limit at all.
std::int64_t earlier(std::int64_t time, std::int64_t span) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(time, span, &result) ? kFirst : result;
}

std::int64_t later(std::int64_t time, std::int64_t span) {
  std::int64_t result = 0;
  return __builtin_add_overflow(time, span, &result) ? kLast : result;
}

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
  for (std::size_t i = 0; i < inputs; ++i) {
    if (!(*inputs_)[i] || !(*outputs_)[i]) {
      throw Error(ErrorCode::InvalidParameter,
                  "input or output " + std::to_string(i) + " is <Unspecified>");
    }
  }
}

void Synchronization::tick() {
  std::int64_t latest = kFirst;
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
    while (input->size() > 0 && acquired(*input, 0) < earlier(latest, *sync_threshold_)) {
      discard(*input.get(), latest);
    }
  }
  const auto match = find_match(latest);
  if (!match) {
    return;
  }
  for (std::size_t i = 0; i < inputs_->size(); ++i) {
    Receiver& input = *(*inputs_)[i].get();
    for (std::size_t passed = 0; passed < (*match)[i].index; ++passed) {
      discard(input, (*match)[i].partner);
    }
    output_.publish(*this, *(*outputs_)[i], input.receive_unfinished());
  }
  ++passed_;
}

void Synchronization::discard(Receiver& input, std::int64_t partner) {
  std::int64_t miss = 0;
  if (__builtin_sub_overflow(partner, acquired(input, 0), &miss)) {
    miss = kLast;
  }
  nearest_miss_ = discarded_ == 0 ? miss : std::min(nearest_miss_, miss);
  ++discarded_;
  static_cast<void>(input.receive_unfinished());
}

std::vector<Discard> Synchronization::discards() const {
  const std::string passed = std::to_string(passed_) + (passed_ == 1 ? " set was" : " sets were");
  return {{discarded_, discarded_ + passed_ * inputs_->size(),
           "no partner came at their times; " + passed + " passed on",
           NearestMiss{nearest_miss_, "sync_threshold", *sync_threshold_}}};
}

std::optional<std::vector<Synchronization::Match>> Synchronization::find_match(
    std::int64_t latest) const {
  const std::int64_t threshold = *sync_threshold_;
  std::int64_t to = later(latest, threshold);
  std::vector<Match> match;
  for (const Handle<Receiver>& input : *inputs_) {
    std::size_t index = 0;
    while (index < input->size() && acquired(*input, index) < earlier(latest, threshold)) {
      ++index;
    }
    if (index == input->size() || acquired(*input, index) > to) {
      return std::nullopt;
    }
    // What is found narrows the window, so that every two messages are close to each other.
    const std::int64_t time = acquired(*input, index);
    match.push_back({index, latest});
    latest = std::max(latest, time);
    to = std::min(to, later(time, threshold));
  }
  return match;
}

}  // namespace gxr
