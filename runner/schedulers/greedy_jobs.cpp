#include "schedulers/greedy_jobs.hpp"

#include <algorithm>
#include <limits>
#include <typeinfo>

namespace gxr {
namespace {

template <class T>
T* exactly(Component* component) noexcept {
  return typeid(*component) == typeid(T) ? static_cast<T*>(component) : nullptr;
}

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

GreedyJob::Range at_least(const StagedRing& ring, std::size_t minimum) noexcept {
  // A ring never holds more than 2^25 messages, so a greater minimum means the same.
  const auto least = static_cast<std::uint32_t>(std::min<std::size_t>(minimum, kMost));
  return {&ring, least, kMost - least};
}

GreedyJob::Range with_room_for(const StagedRing& ring, std::size_t messages) noexcept {
  if (messages > ring.capacity()) {
    return {&ring, kMost, 0};  // never met
  }
  return {&ring, 0, static_cast<std::uint32_t>(ring.capacity() - messages)};
}

}  // namespace

GreedyJobs::GreedyJobs(Instance& instance, QueueObserver& observer)
    : instance_(instance),
      job_of_entity_(instance.graph().entities.size(), kNone),
      watchers_(instance.graph().components.size()) {
  reserve();
  for (LiveEntity& entity : instance.entities()) {
    job_of_entity_[entity.id] = static_cast<std::uint32_t>(jobs_.size());
    jobs_.push_back(make_job(entity));
  }
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    jobs_[i].poll_period = watchers_.watch(i, *jobs_[i].entity, instance_);
  }
  find_only_watchers();
  observe(observer);
}

/// Room for everything, so that the spans stay valid while the tables fill.
void GreedyJobs::reserve() {
  std::size_t ranges = 0;
  std::size_t terms = 0;
  std::size_t inlets = 0;
  std::size_t ticks = 0;
  std::size_t outlets = 0;
  std::size_t targets = 0;
  for (const LiveEntity& entity : instance_.entities()) {
    for (SchedulingTerm* term : entity.terms) {
      const Transmitter* transmitter = receptive_transmitter(*term);
      ranges += transmitter != nullptr ? transmitter->receivers().size() : 1;
    }
    terms += entity.terms.size();
    inlets += entity.receivers.size();
    ticks += entity.codelets.size();
    outlets += entity.transmitters.size();
    for (const Transmitter* transmitter : entity.transmitters) {
      targets += transmitter->receivers().size();
    }
  }
  jobs_.reserve(instance_.entities().size());
  ranges_.reserve(ranges);
  terms_.reserve(terms);
  inlets_.reserve(inlets);
  ticks_.reserve(ticks);
  outlets_.reserve(outlets);
  targets_.reserve(targets);
}

void GreedyJobs::observe(QueueObserver& observer) {
  for (Queue* queue : instance_.queues()) {
    if (auto* receiver = dynamic_cast<Receiver*>(queue)) {
      const std::span<const std::uint32_t> watchers = watchers_.spaces(receiver->component_id());
      receiver->observe(&observer, watchers.size() == 1 ? watchers.front() : kNone);
    }
  }
}

const CallSite* GreedyJobs::keep(CallSite site) { return &sites_.emplace_back(site); }

void GreedyJobs::release() noexcept {
  for (Queue* queue : instance_.queues()) {
    if (auto* receiver = dynamic_cast<Receiver*>(queue)) {
      receiver->observe(nullptr);
    }
  }
}

GreedyJob GreedyJobs::make_job(LiveEntity& entity) {
  const std::size_t first_range = ranges_.size();
  const std::size_t first_term = terms_.size();
  const std::size_t first_inlet = inlets_.size();
  const std::size_t first_tick = ticks_.size();
  const std::size_t first_outlet = outlets_.size();
  for (SchedulingTerm* term : entity.terms) {
    add_term(*term);
  }
  for (Receiver* receiver : entity.receivers) {
    inlets_.push_back({receiver->ring(), receiver});
  }
  for (Codelet* codelet : entity.codelets) {
    ticks_.push_back({codelet, keep(instance_.site(*codelet, "tick"))});
  }
  for (Transmitter* transmitter : entity.transmitters) {
    add_outlet(*transmitter);
  }
  GreedyJob job;
  job.entity = &entity;
  job.ranges = std::span(ranges_).subspan(first_range);
  job.terms = std::span(terms_).subspan(first_term);
  job.inbox = std::span(inlets_).subspan(first_inlet);
  job.ticks = std::span(ticks_).subspan(first_tick);
  job.outbox = std::span(outlets_).subspan(first_outlet);
  return job;
}

void GreedyJobs::add_term(SchedulingTerm& term) {
  if (add_ranges(term)) {
    return;
  }
  auto* count = exactly<CountSchedulingTerm>(&term);
  terms_.push_back({count != nullptr ? &count->remaining() : nullptr, &term,
                    keep(instance_.site(term, "check")), keep(instance_.site(term, "on_execute"))});
}

/// False when the term is more than a question of how many messages rings hold.
bool GreedyJobs::add_ranges(SchedulingTerm& term) {
  if (const Receiver* awaited = awaited_receiver(term);
      awaited != nullptr && awaited->ring() != nullptr) {
    ranges_.push_back(
        at_least(*awaited->ring(), static_cast<MessageAvailableSchedulingTerm&>(term).min_size()));
    return true;
  }
  const Transmitter* transmitter = receptive_transmitter(term);
  if (transmitter == nullptr) {
    return false;
  }
  const std::vector<Receiver*>& receivers = transmitter->receivers();
  if (receivers.empty() || !std::all_of(receivers.begin(), receivers.end(),
                                        [](const Receiver* r) { return r->ring() != nullptr; })) {
    return false;
  }
  for (const Receiver* receiver : receivers) {
    ranges_.push_back(with_room_for(
        *receiver->ring(), static_cast<DownstreamReceptiveSchedulingTerm&>(term).min_size()));
  }
  return true;
}

void GreedyJobs::add_outlet(Transmitter& transmitter) {
  const std::size_t first = targets_.size();
  for (Receiver* receiver : transmitter.receivers()) {
    targets_.push_back({receiver->ring(), kNone, receiver});
  }
  outlets_.push_back({transmitter.ring(), &transmitter, std::span(targets_).subspan(first)});
}

void GreedyJobs::find_only_watchers() {
  for (GreedyJob& job : jobs_) {
    for (GreedyJob::Outlet& outlet : job.outbox) {
      for (GreedyJob::Target& target : outlet.targets) {
        const std::span<const std::uint32_t> watchers =
            watchers_.arrivals(target.receiver->component_id());
        target.watcher = watchers.size() == 1 ? watchers.front() : kNone;
      }
    }
  }
}

}  // namespace gxr
