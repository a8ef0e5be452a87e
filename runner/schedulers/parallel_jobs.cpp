#include "schedulers/parallel_jobs.hpp"

#include <algorithm>
#include <limits>
#include <typeinfo>

namespace gxr {
namespace {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

ParallelJob::Range at_least(const Inbox& inbox, std::size_t minimum) noexcept {
  const auto least = static_cast<std::uint32_t>(std::min<std::size_t>(minimum, kMost));
  return {&inbox, least, kMost - least};
}

ParallelJob::Range with_room_for(const Inbox& inbox, std::size_t messages) noexcept {
  if (messages > inbox.capacity()) {
    return {&inbox, kMost, 0};  // never met
  }
  return {&inbox, 0, static_cast<std::uint32_t>(inbox.capacity() - messages)};
}

}  // namespace

ParallelJobs::ParallelJobs(Instance& instance)
    : instance_(instance),
      count_(static_cast<std::uint32_t>(instance.entities().size())),
      jobs_(std::make_unique<ParallelJob[]>(count_)),
      inbox_of_(instance.graph().components.size()),
      job_of_entity_(instance.graph().entities.size(), kNone),
      watchers_(instance.graph().components.size()) {
  make_inboxes();
  for (std::uint32_t i = 0; i < count_; ++i) {
    LiveEntity& entity = instance.entities()[i];
    job_of_entity_[entity.id] = i;
    jobs_[i].poll_period = watchers_.watch(i, entity, instance);
  }
  for (std::uint32_t i = 0; i < count_; ++i) {
    make_job(jobs_[i], instance.entities()[i]);
  }
}

void ParallelJobs::make_inboxes() {
  for (Queue* queue : instance_.queues()) {
    auto* receiver = dynamic_cast<Receiver*>(queue);
    if (receiver != nullptr && !receiver->is_concurrent()) {
      inbox_of_[receiver->component_id()] = &inboxes_.emplace_back(*receiver);
    }
  }
}

void ParallelJobs::make_job(ParallelJob& job, LiveEntity& entity) {
  job.entity = &entity;
  for (SchedulingTerm* term : entity.terms) {
    add_term(job, *term);
  }
  for (Receiver* receiver : entity.receivers) {
    job.inbox.push_back({inbox_of(*receiver), receiver});
  }
  for (Codelet* codelet : entity.codelets) {
    job.ticks.push_back({codelet, keep(instance_.site(*codelet, "tick"))});
  }
  for (Transmitter* transmitter : entity.transmitters) {
    job.outbox.push_back(outlet(*transmitter));
  }
}

ParallelJob::Outlet ParallelJobs::outlet(Transmitter& transmitter) const {
  ParallelJob::Outlet outlet{&transmitter, {}};
  for (Receiver* receiver : transmitter.receivers()) {
    outlet.targets.push_back(
        {inbox_of(*receiver), receiver, watchers_.arrivals(receiver->component_id())});
  }
  return outlet;
}

void ParallelJobs::add_term(ParallelJob& job, SchedulingTerm& term) {
  if (add_ranges(job, term)) {
    return;
  }
  auto* count = typeid(term) == typeid(CountSchedulingTerm)
                    ? &static_cast<CountSchedulingTerm&>(term)
                    : nullptr;
  job.terms.push_back({count != nullptr ? &count->remaining() : nullptr, &term,
                       keep(instance_.site(term, "check")),
                       keep(instance_.site(term, "on_execute"))});
}

/// False when the term is more than a question of how many messages inboxes hold.
bool ParallelJobs::add_ranges(ParallelJob& job, SchedulingTerm& term) {
  if (const Receiver* awaited = awaited_receiver(term);
      awaited != nullptr && inbox_of(*awaited) != nullptr) {
    job.ranges.push_back(at_least(*inbox_of(*awaited),
                                  static_cast<MessageAvailableSchedulingTerm&>(term).min_size()));
    return true;
  }
  const Transmitter* transmitter = receptive_transmitter(term);
  if (transmitter == nullptr || transmitter->receivers().empty() ||
      !std::ranges::all_of(transmitter->receivers(),
                           [&](const Receiver* r) { return inbox_of(*r) != nullptr; })) {
    return false;
  }
  for (const Receiver* receiver : transmitter->receivers()) {
    job.ranges.push_back(with_room_for(
        *inbox_of(*receiver), static_cast<DownstreamReceptiveSchedulingTerm&>(term).min_size()));
  }
  return true;
}

void ParallelJobs::settle_all(std::vector<Failure>& failures) {
  for (Inbox& inbox : inboxes_) {
    try {
      inbox.take_in();
    } catch (...) {
      failures.push_back(current_failure(instance_.site(inbox.receiver(), "push")));
    }
  }
}

}  // namespace gxr
