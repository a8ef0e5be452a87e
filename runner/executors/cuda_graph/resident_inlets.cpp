#include "executors/cuda_graph/resident_inlets.hpp"

#include <algorithm>
#include <utility>

#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_lateness.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/streams.hpp"
#include "observe/chaos.hpp"

namespace gxr {

void ResidentRunner::Inlets::open() {
  const GraphOptions& options = runner_.region().options();
  account_ = InputAccount({.inputs = runner_.region().ports.inputs().size(),
                           .handlers = runner_.region().graph().handlers.size(),
                           .any = runner_.takes_any(),
                           .host_driven = options.host_driven,
                           .slots = options.slots,
                           .timestamp_from = runner_.region().graph().timestamp_from},
                          [this](std::size_t input, std::uint64_t finished) {
                            return runner_.loop_->control().taken(input, finished);
                          });
  stream_.emplace(StreamOptions{.device = options.device});
}

void ResidentRunner::Inlets::close() noexcept {
  for (const Message& held : std::exchange(held_, {})) {
    left_ += held ? 1 : 0;  // the messages themselves must not outlive the run
  }
  stream_.reset();
}

void ResidentRunner::Inlets::launch() {
  std::uint64_t limit = kEndless;
  for (const GraphStep& step : runner_.region().graph().steps) {
    limit = std::min(limit, step.count.value_or(kEndless));
  }
  account_.launch(limit);
  origins_.assign(runner_.region().ports.inputs().size(),
                  std::vector<Origin>(account_.remembered()));
  runner_.lateness_->launch();
}

void ResidentRunner::Inlets::finish() { stream_->finish(); }

std::uint64_t ResidentRunner::Inlets::first_news() const noexcept {
  return runner_.region().ports.inputs().empty() && runner_.region().ports.outputs().empty()
             ? account_.limit()
             : 0;
}

bool ResidentRunner::Inlets::has_message(const Input& input) {
  return std::ranges::all_of(
      input.receivers, [](const Receiver* each) { return each->size() + each->back_size() > 0; });
}

bool ResidentRunner::Inlets::has_first() const {
  return !runner_.region().ports.inputs().empty() &&
         std::ranges::all_of(runner_.region().ports.inputs(), has_message);
}

bool ResidentRunner::Inlets::can_accept(std::size_t input, std::uint64_t finished) const {
  return has_message(runner_.region().ports.inputs()[input]) && account_.has_room(input, finished);
}

bool ResidentRunner::Inlets::can_accept(std::uint64_t finished) const {
  if (!runner_.session_.accepts() || !held_.empty()) {
    return false;
  }
  std::size_t offered = 0;
  for (std::size_t i = 0; i < runner_.region().ports.inputs().size(); ++i) {
    offered += can_accept(i, finished) ? 1 : 0;
  }
  return account_.is_enough(offered);
}

Message ResidentRunner::Inlets::take(std::size_t input) {
  return RegionPorts::receive(runner_.region().ports.inputs()[input],
                              [](Receiver& receiver) { return receiver.receive_unfinished(); });
}

void ResidentRunner::Inlets::accept_first() {
  std::vector<Message> messages(runner_.region().ports.inputs().size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    messages[i] = take(i);
  }
  // Values that were set before are in it from the begin.
  RegionProgram::News news = runner_.region().program.take();
  runner_.build_for(messages);
  news.steps.clear();
  runner_.region().program.want(news);
  runner_.region().shapes.require_tensors(messages);
  give(messages);
}

void ResidentRunner::Inlets::accept(std::uint64_t finished) {
  std::vector<Message> messages(runner_.region().ports.inputs().size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (can_accept(i, finished)) {
      messages[i] = take(i);
    }
  }
  offer(messages);
}

void ResidentRunner::Inlets::offer(const std::vector<Message>& messages) {
  if (runner_.region().shapes.find_tensors(messages)) {
    give(messages);
    return;
  }
  runner_.changes_->take_shapes(messages);
  held_ = messages;
}

void ResidentRunner::Inlets::give_held() {
  if (!held_.empty()) {
    const std::vector<Message> messages = std::exchange(held_, {});
    runner_.region().shapes.require_tensors(messages);
    give(messages);
  }
}

/// True: the loop has it already.
bool ResidentRunner::Inlets::put(std::size_t input, const Message& message) {
  const Tensor& from = runner_.region().shapes.tensor_of(input);
  const bool on_device = from.storage_type() == MemoryStorageType::Device;
  const DeviceWork work = cuda::work_behind(message);
  DeviceStream& stream = stream_->get();
  if (work) {
    stream.wait_for(work);
  }
  const bool is_read =
      runner_.loop_->ports().put(input, from.pointer(), !on_device && !work, stream);
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
  runner_.lateness_->given(messages);
}

void ResidentRunner::Inlets::give_ring() {
  runner_.loop_->ports().put(0, nullptr, true, stream_->get());
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

}  // namespace gxr
