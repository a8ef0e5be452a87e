#include "executors/parallel/parallel_jobs.hpp"

#include <algorithm>
#include <unordered_map>

#include "sdk/engine_access.hpp"

namespace gxr {
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
    for (const Receiver* receiver : entity.receivers) {
      job_of_entity_[receiver->entity_id()] = i;  // of a part of a CUDA graph
    }
    jobs_[i].polling = watchers_.watch(i, entity, instance);
  }
  for (std::uint32_t i = 0; i < count_; ++i) {
    make_job(jobs_[i], instance.entities()[i]);
  }
  share_unguarded();
  keep_shared_claims();
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
    job.own_receivers = job.own_receivers || EngineAccess::ring(*receiver) == nullptr;
  }
  for (Codelet* codelet : entity.codelets) {
    job.ticks.push_back({codelet, keep(instance_.site(*codelet, "tick"))});
  }
  for (Transmitter* transmitter : entity.transmitters) {
    job.outbox.push_back(outlet(*transmitter));
  }
  add_targets(job);
}

void ParallelJobs::add_targets(ParallelJob& job) {
  const auto may_drop = [](const Inbox& inbox) {
    const StagedRing* ring = EngineAccess::ring(inbox.receiver());
    return ring != nullptr && ring->policy() != OverflowPolicy::Fault;
  };
  for (const ParallelJob::Outlet& outlet : job.outbox) {
    std::size_t awaited = 0;  // messages for which a term waits until there is room
    for (SchedulingTerm* term : job.entity->terms) {
      const TermQuestion question = question_of(*term, instance_);
      if (question.transmitter == outlet.transmitter) {
        awaited = std::max<std::size_t>(awaited, question.messages);
      }
    }
    for (const ParallelJob::Target& target : outlet.targets) {
      const std::uint32_t consumer = of_entity(target.receiver->entity_id());
      if (target.inbox == nullptr) {
        continue;
      }
      if (awaited > 0) {
        add_claim(job, *target.inbox, awaited);
      } else if (consumer != kNone && &jobs_[consumer] != &job) {
        job.unguarded.push_back(
            {target.inbox, target.inbox->capacity(), &jobs_[consumer], may_drop(*target.inbox)});
      }
    }
  }
}

void ParallelJobs::add_claim(ParallelJob& job, Inbox& inbox, std::size_t messages) {
  const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(messages, inbox.capacity()));
  const auto known = std::ranges::find(job.claims, &inbox, &ParallelJob::Claim::inbox);
  if (known == job.claims.end()) {
    job.claims.push_back({&inbox, room});
  } else {
    known->messages = std::max(known->messages, room);
  }
}

/// Of several senders into one receiver each leaves room for the others, which may look at it at
/// the same time.
void ParallelJobs::share_unguarded() {
  std::unordered_map<const Inbox*, std::uint32_t> senders;
  for (std::uint32_t i = 0; i < count_; ++i) {
    for (const ParallelJob::Unguarded& behind : jobs_[i].unguarded) {
      ++senders[behind.inbox];
    }
  }
  for (std::uint32_t i = 0; i < count_; ++i) {
    for (ParallelJob::Unguarded& behind : jobs_[i].unguarded) {
      const std::uint32_t others = senders[behind.inbox] - 1;
      behind.full_at = behind.full_at > others ? behind.full_at - others : 1;
    }
  }
}

/// A single sender finds the room that its term has seen.
void ParallelJobs::keep_shared_claims() {
  std::unordered_map<const Inbox*, std::uint32_t> senders;
  for (std::uint32_t i = 0; i < count_; ++i) {
    for (const ParallelJob::Claim& claim : jobs_[i].claims) {
      ++senders[claim.inbox];
    }
  }
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::erase_if(jobs_[i].claims,
                  [&](const ParallelJob::Claim& claim) { return senders[claim.inbox] < 2; });
    std::ranges::sort(jobs_[i].claims, {}, [](const ParallelJob::Claim& claim) {
      return claim.inbox->receiver().component_id();
    });
  }
}

ParallelJob::Outlet ParallelJobs::outlet(Transmitter& transmitter) const {
  ParallelJob::Outlet outlet{&transmitter, {}};
  for (Receiver* receiver : transmitter.receivers()) {
    outlet.targets.push_back(
        {inbox_of(*receiver), receiver, watchers_.arrivals(receiver->component_id()), false});
  }
  return outlet;
}

void ParallelJobs::add_term(ParallelJob& job, SchedulingTerm& term) {
  const auto holder_of = [this](const Receiver& receiver) { return inbox_of(receiver); };
  // A receiver of another kind may drop what it is given, so only what it has counts.
  const TermQuestion question = question_of(term, instance_);
  const Receiver* awaited = question.receiver;
  const bool asks_receiver = awaited != nullptr && EngineAccess::ring(*awaited) == nullptr;
  if (asks_receiver || !add_ranges<Inbox>(question, holder_of, job.ranges)) {
    job.terms.push_back(
        make_check(term, question, instance_, [this](CallSite site) { return keep(site); }));
    job.has_urgent = job.has_urgent || job.terms.back().urgent != nullptr;
  }
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
