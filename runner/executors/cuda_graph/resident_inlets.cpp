#include "executors/cuda_graph/resident_inlets.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/error.hpp"
#include "observe/chaos.hpp"

namespace gxr {

void ResidentRunner::Inlets::open() {
  const GraphOptions& options = runner_.graph().options;
  account_ = InputAccount({.inputs = runner_.inputs().size(),
                           .handlers = runner_.graph().handlers.size(),
                           .any = runner_.takes_any(),
                           .host_driven = options.host_driven,
                           .slots = options.slots,
                           .timestamp_from = runner_.graph().timestamp_from},
                          [this](std::size_t input, std::uint64_t finished) {
                            return runner_.loop_->taken(input, finished);
                          });
  stream_.emplace(StreamOptions{.device = options.device});
}

void ResidentRunner::Inlets::close() noexcept {
  forget();
  for (const Message& held : std::exchange(held_, {})) {
    left_ += held ? 1 : 0;  // the messages themselves must not outlive the run
  }
  stream_.reset();
}

void ResidentRunner::Inlets::launch() {
  const GraphOptions& options = runner_.graph().options;
  std::uint64_t limit = kEndless;
  for (const GraphStep& step : runner_.graph().steps) {
    limit = std::min(limit, step.count.value_or(kEndless));
  }
  account_.launch(limit);
  origins_.assign(runner_.inputs().size(), std::vector<Origin>(account_.remembered()));
  if (options.input_timeout.count() > 0) {
    late_.emplace(options.input_timeout, options.missing_data);
    forget();
  }
}

void ResidentRunner::Inlets::finish() { stream_->finish(); }

std::uint64_t ResidentRunner::Inlets::first_news() const noexcept {
  return runner_.inputs().empty() && runner_.outputs().empty() ? account_.limit() : 0;
}

bool ResidentRunner::Inlets::has_message(const Input& input) {
  return std::ranges::all_of(
      input.receivers, [](const Receiver* each) { return each->size() + each->back_size() > 0; });
}

bool ResidentRunner::Inlets::has_first() const {
  return !runner_.inputs().empty() && std::ranges::all_of(runner_.inputs(), has_message);
}

bool ResidentRunner::Inlets::can_accept(std::size_t input, std::uint64_t finished) const {
  return has_message(runner_.inputs()[input]) && account_.has_room(input, finished);
}

bool ResidentRunner::Inlets::can_accept(std::uint64_t finished) const {
  if (!runner_.session_.accepts() || !held_.empty()) {
    return false;
  }
  std::size_t offered = 0;
  for (std::size_t i = 0; i < runner_.inputs().size(); ++i) {
    offered += can_accept(i, finished) ? 1 : 0;
  }
  return account_.is_enough(offered);
}

Message ResidentRunner::Inlets::take(std::size_t input) {
  return RegionPorts::receive(runner_.inputs()[input],
                              [](Receiver& receiver) { return receiver.receive_unfinished(); });
}

void ResidentRunner::Inlets::accept_first() {
  std::vector<Message> messages(runner_.inputs().size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    messages[i] = take(i);
  }
  // Values that were set before are in it from the begin.
  RegionProgram::News news = runner_.program().take();
  runner_.build_for(messages);
  news.steps.clear();
  runner_.program().want(news);
  runner_.require_tensors(messages);
  give(messages);
}

void ResidentRunner::Inlets::accept(std::uint64_t finished) {
  std::vector<Message> messages(runner_.inputs().size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (can_accept(i, finished)) {
      messages[i] = take(i);
    }
  }
  offer(messages);
}

/// Those of other shapes wait until the loop is made for them.
void ResidentRunner::Inlets::offer(const std::vector<Message>& messages) {
  if (runner_.find_tensors(messages)) {
    give(messages);
    return;
  }
  runner_.changes_->take_shapes(messages);
  held_ = messages;
}

void ResidentRunner::Inlets::give_held() {
  if (!held_.empty()) {
    const std::vector<Message> messages = std::exchange(held_, {});
    runner_.require_tensors(messages);
    give(messages);
  }
}

/// True: the loop has it already.
bool ResidentRunner::Inlets::put(std::size_t input, const Message& message) {
  const Tensor& from = runner_.tensor_of(input);
  const bool on_device = from.storage_type() == MemoryStorageType::Device;
  const DeviceWork work = cuda::work_behind(message);
  DeviceStream& stream = stream_->get();
  if (work) {
    stream.wait_for(work);
  }
  const bool is_read = runner_.loop_->put(input, from.pointer(), !on_device && !work, stream);
  if (!is_read) {
    // The memory is used again only after the copy.
    const_cast<Tensor&>(from).add_device_user(stream);
  }
  return is_read;
}

/// Gives the loop those that are not empty, whose tensors were found.
void ResidentRunner::Inlets::give(const std::vector<Message>& messages) {
  const auto mark = [this] {
    const std::uint64_t number = stream_->get().mark().number;
    stream_->get().record();  // later ones may wait for work that does not end
    return number;
  };
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i]) {
      origins_[i][account_.next_place(i)] = RegionPorts::origin_of(messages[i]);
      const bool is_read = put(i, messages[i]);
      chaos();
      account_.give(i, is_read, mark);
    }
  }
  if (late_) {
    late_->given(LateInputs::Clock::now());
    if (runner_.graph().options.missing_data == MissingData::Hold) {
      last_ = messages;
    }
  }
}

void ResidentRunner::Inlets::give_ring() {
  runner_.loop_->put(0, nullptr, true, stream_->get());
  account_.tell();
}

void ResidentRunner::Inlets::give_rings() {
  while (account_.has_untold()) {
    give_ring();
  }
}

bool ResidentRunner::Inlets::awaits_copies(std::uint64_t finished) {
  return account_.awaits_copies(
      finished, [this](std::uint64_t number) { return stream_->get().is_done(number); });
}

const RegionPorts::Origin* ResidentRunner::Inlets::origin_of_next(std::uint64_t fetched) {
  const auto given = account_.origin_of_next(fetched);
  return given ? &origins_[given->input][given->place] : nullptr;
}

/// Of a loop that waits for all inputs.
LateInputs::Seen ResidentRunner::Inlets::seen(std::uint64_t finished) const {
  const bool has_room =
      runner_.session_.accepts() && held_.empty() && account_.has_room(0, finished);
  const auto with = std::ranges::count_if(runner_.inputs(), has_message);
  return {has_room, static_cast<std::size_t>(with), runner_.inputs().size()};
}

bool ResidentRunner::Inlets::can_do_without(std::uint64_t finished) const {
  return late_ && runner_.graph().options.missing_data != MissingData::Fault &&
         late_->is_late(seen(finished), LateInputs::Clock::now());
}

/// First what was given is worked on and passed on.
bool ResidentRunner::Inlets::must_fail(const LateInputs::Seen& seen,
                                       LateInputs::Clock::time_point now) const {
  return runner_.graph().options.missing_data == MissingData::Fault && late_->is_late(seen, now) &&
         runner_.outlets_->account().unpublished(account_.count(0)) == 0;
}

bool ResidentRunner::Inlets::must_update_late(std::uint64_t finished) const {
  if (!late_) {
    return false;
  }
  const LateInputs::Seen now_seen = seen(finished);
  const auto now = LateInputs::Clock::now();
  return late_->would_change(now_seen, now) || must_fail(now_seen, now);
}

void ResidentRunner::Inlets::update_late(std::uint64_t finished) {
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
    fail_for_late();
  }
}

void ResidentRunner::Inlets::fail_for_late() const {
  std::string names;
  for (const Input& input : runner_.inputs()) {
    if (!has_message(input)) {
      names += (names.empty() ? "" : ", ") + RegionPorts::name_of(input);
    }
  }
  const auto timeout =
      std::chrono::duration_cast<std::chrono::milliseconds>(runner_.graph().options.input_timeout);
  throw Error(ErrorCode::NotAvailable, "region '" + runner_.region_name() +
                                           "' has had no message at " + names + " for " +
                                           std::to_string(timeout.count()) +
                                           " ms ('input_timeout_ms', 'missing_data: fault')");
}

void ResidentRunner::Inlets::do_without() {
  std::vector<Message> messages(runner_.inputs().size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (has_message(runner_.inputs()[i])) {
      messages[i] = take(i);
    } else if (!last_.empty()) {
      messages[i] = last_[i];
    }
  }
  // Others may have come by now.
  const auto with =
      std::ranges::count_if(messages, [](const Message& each) { return static_cast<bool>(each); });
  const bool has_all = static_cast<std::size_t>(with) == messages.size();
  if (has_all || runner_.graph().options.missing_data == MissingData::Hold) {
    offer(messages);
  } else {
    skipped_ += static_cast<std::uint64_t>(with);
    late_->given(LateInputs::Clock::now());
  }
}

}  // namespace gxr
