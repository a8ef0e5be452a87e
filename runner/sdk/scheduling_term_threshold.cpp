// MessageThreshold and the two terms that ask for messages of several receivers.

#include <algorithm>
#include <limits>
#include <string>

#include "gxr/error.hpp"
#include "gxr/message_terms.hpp"
#include "gxr/outside_queue.hpp"
#include "sdk/waiting_messages.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// What a term answers while the messages of `receivers` are not enough: as
/// answer_while_waiting().
ConditionType answer_while_waiting_for(const std::vector<Handle<Receiver>>& receivers) {
  ConditionType answer = ConditionType::Never;
  for (const Handle<Receiver>& receiver : receivers) {
    const ConditionType one = receiver ? answer_while_waiting(*receiver, 1) : ConditionType::Wait;
    if (one == ConditionType::WaitEvent || answer == ConditionType::Never) {
      answer = one;
    }
  }
  return receivers.empty() ? ConditionType::Wait : answer;
}

}  // namespace

void MessageThreshold::configure(const std::vector<Handle<Receiver>>& receivers, SamplingMode mode,
                                 std::optional<std::size_t> min_sum,
                                 const std::optional<std::vector<std::size_t>>& min_sizes) {
  receivers_.clear();
  for (const Handle<Receiver>& receiver : receivers) {
    if (receiver) {
      receivers_.push_back(receiver.get());
    }
  }
  if (mode == SamplingMode::SumOfAll) {
    if (!min_sum) {
      throw Error(ErrorCode::InvalidParameter,
                  "sampling_mode SumOfAll needs the parameter 'min_sum'");
    }
    min_sum_ = *min_sum;
    min_sizes_.clear();
    return;
  }
  if (!min_sizes) {
    throw Error(ErrorCode::InvalidParameter,
                "sampling_mode PerReceiver needs the parameter 'min_sizes'");
  }
  if (min_sizes->size() != receivers_.size()) {
    throw Error(ErrorCode::InvalidParameter,
                "parameter 'min_sizes' has " + std::to_string(min_sizes->size()) + " numbers for " +
                    std::to_string(receivers_.size()) + " receivers; give one for each");
  }
  min_sizes_ = *min_sizes;
}

bool MessageThreshold::reached() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    const std::size_t waiting = waiting_in(*receivers_[i]);
    if (!min_sizes_.empty() && waiting < min_sizes_[i]) {
      return false;
    }
    sum += waiting;
  }
  return !min_sizes_.empty() || sum >= min_sum_;
}

void MessageThreshold::events(TermEvents& events) const {
  for (Receiver* receiver : receivers_) {
    events.message(*receiver);
  }
}

std::string MessageThreshold::explain() const {
  std::string names;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    const std::size_t waiting = waiting_in(*receivers_[i]);
    if (!min_sizes_.empty() && waiting < min_sizes_[i]) {
      return "waits for " + count_of_messages(min_sizes_[i]) + " on '" +
             receivers_[i]->full_name() + "' (has " + std::to_string(waiting) + ")";
    }
    names += (i == 0                       ? "'"
              : i + 1 == receivers_.size() ? " and '"
                                           : ", '") +
             receivers_[i]->full_name() + "'";
    sum += waiting;
  }
  return "waits for " + count_of_messages(min_sum_) + " on " +
         (names.empty() ? "no receiver at all" : names) +
         (receivers_.size() > 1 ? " together" : "") + " (" +
         (receivers_.size() > 1 ? "have " : "has ") + std::to_string(sum) + ")";
}

MultiMessageAvailableSchedulingTerm::~MultiMessageAvailableSchedulingTerm() = default;

void MultiMessageAvailableSchedulingTerm::declare(Interface& interface) {
  interface.parameter(receivers_, "receivers", "Receivers on which messages are waited for");
  interface
      .parameter(min_size_, "min_size", "Older name of min_sum (deprecated)",
                 "Counts with sampling_mode SumOfAll when min_sum is not given; without either, one "
                 "message is enough.")
      .optional()
      .unit("messages");
  interface
      .parameter(sampling_mode_, "sampling_mode", "How the messages are counted",
                 "SumOfAll: those of all receivers together, see min_sum. PerReceiver: those of "
                 "each receiver, see min_sizes.")
      .default_value(SamplingMode::SumOfAll);
  interface
      .parameter(min_sizes_, "min_sizes", "Messages that must be on each of the receivers",
                 "As many numbers as receivers.")
      .optional()
      .unit("messages");
  interface.parameter(min_sum_, "min_sum", "Messages that must be on all receivers together")
      .optional()
      .unit("messages");
}

void MultiMessageAvailableSchedulingTerm::initialize() {
  const auto& sum = min_sum_.try_get();
  const auto& size = min_size_.try_get();
  if (sum && size && *sum != *size) {
    log_warning("min_size (" + std::to_string(*size) + ") is ignored, because min_sum (" +
                std::to_string(*sum) + ") is given");
  }
  threshold_.configure(*receivers_, *sampling_mode_, sum ? *sum : size.value_or(1),
                       min_sizes_.try_get());
}

Condition MultiMessageAvailableSchedulingTerm::check(std::int64_t) {
  const ConditionType otherwise = answer_while_waiting_for(*receivers_);
  return {threshold_.reached() ? ConditionType::Ready : otherwise, 0};
}

void MultiMessageAvailableSchedulingTerm::events(TermEvents& events) { threshold_.events(events); }

std::string MultiMessageAvailableSchedulingTerm::explain() const { return threshold_.explain(); }

MessageAvailableFrequencyThrottler::~MessageAvailableFrequencyThrottler() = default;

void MessageAvailableFrequencyThrottler::declare(Interface& interface) {
  interface.parameter(execution_frequency_, "execution_frequency",
                      "How often the entity ticks at least",
                      "A frequency (10Hz) or its period (100ms): after so long the entity ticks "
                      "although there are not enough messages.");
  interface.parameter(receivers_, "receivers", "Receivers on which messages are waited for");
  interface.parameter(sampling_mode_, "sampling_mode", "How the messages are counted",
                      "SumOfAll: those of all receivers together, see min_sum. PerReceiver: those "
                      "of each receiver, see min_sizes.");
  interface
      .parameter(min_sizes_, "min_sizes", "Messages that must be on each of the receivers",
                 "As many numbers as receivers. Needed with PerReceiver.")
      .optional()
      .unit("messages");
  interface
      .parameter(min_sum_, "min_sum", "Messages that must be on all receivers together",
                 "Needed with SumOfAll.")
      .optional()
      .unit("messages");
}

void MessageAvailableFrequencyThrottler::initialize() {
  if (execution_frequency_->nanoseconds <= 0) {
    throw Error(ErrorCode::InvalidParameter,
                "parameter 'execution_frequency': its period must be longer than 0, is " +
                    std::to_string(execution_frequency_->nanoseconds) + " ns");
  }
  threshold_.configure(*receivers_, *sampling_mode_, min_sum_.try_get(), min_sizes_.try_get());
  next_ = execution_frequency_->nanoseconds;
}

Condition MessageAvailableFrequencyThrottler::check(std::int64_t now) {
  if (now >= next_) {
    return {ConditionType::Ready, next_};
  }
  return threshold_.reached() ? Condition{ConditionType::Ready, 0}
                              : Condition{ConditionType::WaitTime, next_};
}

void MessageAvailableFrequencyThrottler::on_execute(std::int64_t now) {
  next_ = saturated_sum(now, execution_frequency_->nanoseconds);
}

void MessageAvailableFrequencyThrottler::events(TermEvents& events) { threshold_.events(events); }

std::string MessageAvailableFrequencyThrottler::explain() const {
  return threshold_.explain() + ", or for the time " + std::to_string(next_) + " ns";
}

}  // namespace gxr
