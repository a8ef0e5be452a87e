#include "executors/cuda_graph/resident_runner.hpp"

#include <algorithm>
#include <utility>

#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_embedding.hpp"
#include "executors/cuda_graph/resident_ending.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_lateness.hpp"
#include "executors/cuda_graph/resident_measures.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "executors/cuda_graph/resident_term.hpp"
#include "executors/cuda_graph/resident_watch.hpp"
#include "executors/term_checks.hpp"
#include "observe/chaos.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

/// Receivers that drop messages by their policy hold no producer back.
bool may_overflow(const Transmitter& transmitter) {
  return std::ranges::any_of(transmitter.receivers(), [](const Receiver* receiver) {
    const StagedRing* const ring = EngineAccess::content(*receiver);
    return ring == nullptr || ring->policy() == OverflowPolicy::Fault;
  });
}

}  // namespace

ResidentRunner::ResidentRunner(const Plan& plan, const Region& region, Instance& instance,
                               Context& context, Poller& poller,
                               std::shared_ptr<ResidentControl> control)
    : RegionRunner(plan, region, instance, context),
      poller_(poller),
      control_(std::move(control)),
      news_(*this, [this] { return loop_->control().finished(); }),
      inlets_(std::make_unique<Inlets>(*this)),
      lateness_(std::make_unique<Lateness>(*this)),
      outlets_(std::make_unique<Outlets>(*this)),
      changes_(std::make_unique<Changes>(*this)),
      watch_(std::make_unique<Watch>(*this)),
      measures_(std::make_unique<Measures>(*this)),
      ending_(std::make_unique<Ending>(*this)),
      embedding_(std::make_unique<Embedding>(*this)) {}

ResidentRunner::~ResidentRunner() {
  control_->detach();
  poller_.remove(news_);
}

LiveEntity ResidentRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged = RegionRunner::merge(entities);
  outlets_->connect();
  term_ = std::make_unique<Term>(*this);
  attach_to_entity(*term_);
  merged.terms = {term_.get()};
  merged.sends_trails = true;
  for (Transmitter* transmitter : region().ports.transmitters()) {
    add_room_term(*transmitter, entities, merged.terms);
  }
  return merged;
}

/// The user's term for the room behind a transmitter, or one of its own.
void ResidentRunner::add_room_term(Transmitter& transmitter,
                                   const std::vector<LiveEntity>& entities,
                                   std::vector<SchedulingTerm*>& terms) {
  bool is_there = false;
  for (const LiveEntity& entity : entities) {
    for (SchedulingTerm* term : entity.terms) {
      if (question_of(*term, region().instance).transmitter == &transmitter) {
        terms.push_back(term);
        is_there = true;
      }
    }
  }
  if (!is_there && may_overflow(transmitter)) {
    auto& term = *room_terms_.emplace_back(std::make_unique<DownstreamReceptiveSchedulingTerm>());
    attach_to_entity(term);
    EngineAccess::wait_behind(term, transmitter);
    terms.push_back(&term);
  }
}

/// Is one input enough for an iteration? With a single one it makes no difference.
bool ResidentRunner::takes_any() const noexcept {
  return region().options().ready == GraphReady::Any &&
         region().ports.inputs().size() + region().graph().handlers.size() > 1;
}

void ResidentRunner::open_graph() {
  loop_ = std::move(next_loop_);
  inlets_->open();
  outlets_->open();
  watch_->open();
  launch();
  poller_.add(news_);
  control_->attach(*this);
}

void ResidentRunner::launch() {
  hide();
  finish_copies();
  inlets_->launch();
  outlets_->launch();
  measures_->launch();
  region().buffers.clear_old(region().program.running());
  region().buffers.write_parameters(region().program.running());
  loop_->launch(inlets_->account().limit());
  session_.on(SessionEvent::Launched);
  watch_->launch();
  const bool launches = std::ranges::any_of(
      region().graph().branches,
      [](const GraphBranch& branch) { return branch.launch != BranchLaunch::InIteration; });
  news_.concern_from(inlets_->first_news());
  news_.launched(launches || !region().graph().handlers.empty());
  news_.expect_until(busy_until(0));
  show_loop();
}

void ResidentRunner::show_loop() {
  show({[this] { return loop_->control().finished(); },
        [this](std::size_t most) { return loop_->measured(most); }});
}

/// The one that was made will go on where the loop has ended. The poller must not ask meanwhile.
void ResidentRunner::replace_loop() {
  measures_->leave();
  poller_.remove(news_);
  loop_ = std::move(next_loop_);
  outlets_->note_shapes();
  poller_.add(news_);
}

void ResidentRunner::drop_graph() noexcept {
  hide();
  control_->detach();
  poller_.remove(news_);
  session_.on(SessionEvent::Dropped);
  lateness_->forget();
  outlets_->forget();
  loop_.reset();
  next_loop_.reset();
  inlets_->close();
  outlets_->close();
}

void ResidentRunner::finish_copies() {
  inlets_->finish();
  outlets_->finish();
}

void ResidentRunner::end_early() noexcept {
  hide();
  ending_->end();
}

void ResidentRunner::finish() {
  hide();
  ending_->finish();
}

std::vector<Discard> ResidentRunner::discards() const {
  return {{lateness_->skipped(), 0,
           "no message came at another input within input_timeout_ms (missing_data: skip)"}};
}

std::size_t ResidentRunner::unread() const { return inlets_->left(); }

/// Until so many iterations are done, the loop works on something, or will without our doing.
std::uint64_t ResidentRunner::busy_until(std::uint64_t finished) const {
  return session_.runs() ? std::min({inlets_->account().works_until(finished),
                                     outlets_->account().has_room_until(), changes_->stands_at()})
                         : 0;
}

void ResidentRunner::tick() {
  const std::lock_guard guard(mutex_);
  const bool acts = std::exchange(acts_, false);
  if (loop_ == nullptr) {
    inlets_->accept_first();
  } else {
    const std::uint64_t finished = loop_->control().finished();
    chaos();
    news_.saw(finished);
    chaos();
    if (acts) {
      act(finished);  // alone: perhaps there is no room
    } else {
      pass(finished);
    }
  }
  tell_poller();
}

void ResidentRunner::act(std::uint64_t finished) {
  if (news_.take_reminder()) {
    watch_->poll();
  }
  changes_->take();
  if (changes_->can_go_on(finished)) {
    changes_->go_on();
  }
  lateness_->update(finished);
}

void ResidentRunner::pass(std::uint64_t finished) {
  if (inlets_->can_accept(finished)) {
    inlets_->accept(finished);
  } else if (lateness_->can_do_without(finished)) {
    lateness_->do_without();
  }
  if (outlets_->account().can_publish(finished)) {
    outlets_->publish();
  }
  outlets_->copy_ahead();
  lateness_->update(finished);
}

void ResidentRunner::tell_poller() {
  const std::uint64_t finished = loop_->control().finished();
  const std::uint64_t until = busy_until(finished);
  news_.expect_until(until);
  chaos();
  if (finished < until) {
    poller_.wake();
  }
}

}  // namespace gxr
