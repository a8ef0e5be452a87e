#include "executors/greedy/greedy_jobs.hpp"

#include "sdk/engine_access.hpp"

namespace gxr {
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
    jobs_[i].polling = watchers_.watch(i, *jobs_[i].entity, instance_);
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
      const Transmitter* transmitter = question_of(*term, instance_).transmitter;
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
      EngineAccess::observe(*receiver, &observer, watchers.size() == 1 ? watchers.front() : kNone);
    }
  }
}

const CallSite* GreedyJobs::keep(CallSite site) { return &sites_.emplace_back(site); }

void GreedyJobs::release() noexcept {
  for (Queue* queue : instance_.queues()) {
    if (auto* receiver = dynamic_cast<Receiver*>(queue)) {
      EngineAccess::observe(*receiver, nullptr);
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
    inlets_.push_back({EngineAccess::ring(*receiver), receiver});
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
  const auto ring_of = [](const Receiver& receiver) { return EngineAccess::ring(receiver); };
  const TermQuestion question = question_of(term, instance_);
  if (!add_ranges<StagedRing>(question, ring_of, ranges_)) {
    terms_.push_back(
        make_check(term, question, instance_, [this](CallSite site) { return keep(site); }));
  }
}

void GreedyJobs::add_outlet(Transmitter& transmitter) {
  const std::size_t first = targets_.size();
  for (Receiver* receiver : transmitter.receivers()) {
    targets_.push_back({EngineAccess::ring(*receiver), kNone, false, receiver});
  }
  outlets_.push_back(
      {EngineAccess::ring(transmitter), &transmitter, std::span(targets_).subspan(first)});
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
