#include "executors/cuda_graph/resident_lateness.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "gxr/error.hpp"

namespace gxr {

void ResidentRunner::Lateness::launch() {
  const GraphOptions& options = runner_.region().options();
  if (options.input_timeout.count() > 0) {
    late_.emplace(options.input_timeout, options.missing_data);
    forget();
  }
}

void ResidentRunner::Lateness::given(const std::vector<Message>& messages) {
  if (late_) {
    late_->given(LateInputs::Clock::now());
    if (runner_.region().options().missing_data == MissingData::Hold) {
      last_ = messages;
    }
  }
}

/// Of a loop that waits for all inputs.
LateInputs::Seen ResidentRunner::Lateness::seen(std::uint64_t finished) const {
  const bool has_room = runner_.session_.accepts() && !runner_.inlets_->holds() &&
                        runner_.inlets_->account().has_room(0, finished);
  const auto with = std::ranges::count_if(runner_.region().ports.inputs(), Inlets::has_message);
  return {has_room, static_cast<std::size_t>(with), runner_.region().ports.inputs().size()};
}

bool ResidentRunner::Lateness::can_do_without(std::uint64_t finished) const {
  return late_ && runner_.region().options().missing_data != MissingData::Fault &&
         late_->is_late(seen(finished), LateInputs::Clock::now());
}

/// First what was given is worked on and passed on.
bool ResidentRunner::Lateness::must_fail(const LateInputs::Seen& seen,
                                         LateInputs::Clock::time_point now) const {
  return runner_.region().options().missing_data == MissingData::Fault &&
         late_->is_late(seen, now) &&
         runner_.outlets_->account().unpublished(runner_.inlets_->account().count(0)) == 0;
}

bool ResidentRunner::Lateness::must_update(std::uint64_t finished) const {
  if (!late_) {
    return false;
  }
  const LateInputs::Seen now_seen = seen(finished);
  const auto now = LateInputs::Clock::now();
  return late_->would_change(now_seen, now) || must_fail(now_seen, now);
}

void ResidentRunner::Lateness::update(std::uint64_t finished) {
  if (!late_) {
    return;
  }
  const LateInputs::Seen now_seen = seen(finished);
  const auto now = LateInputs::Clock::now();
  const bool fails = must_fail(now_seen, now);
  late_->update(now_seen, now);
  if (runner_.news_.remind_at(late_->due_at())) {
    runner_.poller_.remind_anew();
  }
  if (fails) {
    fail();
  }
}

void ResidentRunner::Lateness::fail() const {
  std::string names;
  for (const Input& input : runner_.region().ports.inputs()) {
    if (!Inlets::has_message(input)) {
      names += (names.empty() ? "" : ", ") + RegionPorts::name_of(input);
    }
  }
  const auto timeout = std::chrono::duration_cast<std::chrono::milliseconds>(
      runner_.region().options().input_timeout);
  throw Error(ErrorCode::NotAvailable, "region '" + runner_.region().name() +
                                           "' has had no message at " + names + " for " +
                                           std::to_string(timeout.count()) +
                                           " ms ('input_timeout_ms', 'missing_data: fault')");
}

void ResidentRunner::Lateness::do_without() {
  std::vector<Message> messages(runner_.region().ports.inputs().size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (Inlets::has_message(runner_.region().ports.inputs()[i])) {
      messages[i] = runner_.inlets_->take(i);
    } else if (!last_.empty()) {
      messages[i] = last_[i];
    }
  }
  // Others may have come by now.
  const auto with =
      std::ranges::count_if(messages, [](const Message& each) { return static_cast<bool>(each); });
  const bool has_all = static_cast<std::size_t>(with) == messages.size();
  if (has_all || runner_.region().options().missing_data == MissingData::Hold) {
    runner_.inlets_->offer(messages);
  } else {
    skipped_ += static_cast<std::uint64_t>(with);
    late_->given(LateInputs::Clock::now());
  }
}

}  // namespace gxr
