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
  // A ring never holds more than 2^31 messages, so a greater minimum means the same.
  const auto least = static_cast<std::uint32_t>(std::min<std::size_t>(minimum, kMost));
  return {&ring, least, kMost - least};
}

GreedyJob::Range with_room_for(const StagedRing& ring, std::size_t messages) noexcept {
  if (messages > ring.capacity()) {
    return {&ring, kMost, 0};  // never met
  }
  return {&ring, 0, static_cast<std::uint32_t>(ring.capacity() - messages)};
}

/// The receiver of a message term of the usual kind on a queue of the usual kind, else nullptr.
Receiver* awaited_receiver(SchedulingTerm& term) noexcept {
  auto* messages = exactly<MessageAvailableSchedulingTerm>(&term);
  return messages != nullptr && !messages->front_stage_max_size() &&
                 messages->receiver().ring() != nullptr
             ? &messages->receiver()
             : nullptr;
}

void add_once(std::vector<std::uint32_t>& list, std::uint32_t index) {
  if (std::find(list.begin(), list.end(), index) == list.end()) {
    list.push_back(index);
  }
}

}  // namespace

/// Enters a job into the watch lists that its terms name.
class GreedyJobs::EventCollector final : public TermEvents {
 public:
  EventCollector(GreedyJobs& jobs, std::uint32_t index) : jobs_(jobs), index_(index) {}

  void exact_receiver(bool exact) noexcept { taken_matters_ = !exact; }
  void message(Receiver& receiver) override {
    add_once(jobs_.arrival_watchers_[receiver.component_id()], index_);
    if (taken_matters_) {
      add_once(jobs_.space_watchers_[receiver.component_id()], index_);
    }
  }
  void space(Transmitter& transmitter) override {
    for (const Receiver* receiver : transmitter.receivers()) {
      add_once(jobs_.space_watchers_[receiver->component_id()], index_);
    }
  }
  void notification() override {}
  void poll(std::int64_t period) override {
    std::int64_t& shortest = jobs_.jobs_[index_].poll_period;
    const std::int64_t wanted = std::max<std::int64_t>(period, 1);
    shortest = shortest == 0 ? wanted : std::min(shortest, wanted);
  }

 private:
  GreedyJobs& jobs_;
  std::uint32_t index_;
  bool taken_matters_ = true;
};

GreedyJobs::GreedyJobs(Instance& instance, QueueObserver& observer)
    : instance_(instance),
      job_of_entity_(instance.graph().entities.size(), kNone),
      arrival_watchers_(instance.graph().components.size()),
      space_watchers_(instance.graph().components.size()) {
  reserve();
  for (LiveEntity& entity : instance.entities()) {
    job_of_entity_[entity.id] = static_cast<std::uint32_t>(jobs_.size());
    jobs_.push_back(make_job(entity));
  }
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    watch(i);
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
      const auto* receptive = exactly<DownstreamReceptiveSchedulingTerm>(term);
      ranges += receptive != nullptr ? receptive->transmitter().receivers().size() : 1;
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
      const Watchers& watchers = space_watchers_[receiver->component_id()];
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
                    keep(instance_.site(term, "check"))});
}

/// False when the term is more than a question of how many messages rings hold.
bool GreedyJobs::add_ranges(SchedulingTerm& term) {
  if (const Receiver* awaited = awaited_receiver(term)) {
    ranges_.push_back(
        at_least(*awaited->ring(), static_cast<MessageAvailableSchedulingTerm&>(term).min_size()));
    return true;
  }
  auto* receptive = exactly<DownstreamReceptiveSchedulingTerm>(&term);
  if (receptive == nullptr) {
    return false;
  }
  const auto& receivers = receptive->transmitter().receivers();
  if (receivers.empty() || !std::all_of(receivers.begin(), receivers.end(),
                                        [](const Receiver* r) { return r->ring() != nullptr; })) {
    return false;
  }
  for (const Receiver* receiver : receivers) {
    ranges_.push_back(with_room_for(*receiver->ring(), receptive->min_size()));
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

void GreedyJobs::watch(std::uint32_t index) {
  EventCollector collector(*this, index);
  for (SchedulingTerm* term : jobs_[index].entity->terms) {
    // Taking a message can only turn the usual message term from READY to WAIT, so nobody needs to
    // know.
    collector.exact_receiver(awaited_receiver(*term) != nullptr);
    guarded(instance_.site(*term, "events"), [&] { term->events(collector); });
  }
}

void GreedyJobs::find_only_watchers() {
  for (GreedyJob& job : jobs_) {
    for (GreedyJob::Outlet& outlet : job.outbox) {
      for (GreedyJob::Target& target : outlet.targets) {
        const Watchers& watchers = arrival_watchers_[target.receiver->component_id()];
        target.watcher = watchers.size() == 1 ? watchers.front() : kNone;
      }
    }
  }
}

}  // namespace gxr
