#include "executors/queue_watchers.hpp"

#include <algorithm>

#include "gxr/outside_queue.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

void add_once(std::vector<std::uint32_t>& list, std::uint32_t index) {
  // The terms of one entity come one after the other.
  if (list.empty() || list.back() != index) {
    list.push_back(index);
  }
}

}  // namespace

/// Enters a job into the lists that its terms name.
class QueueWatchers::Collector final : public TermEvents {
 public:
  Collector(QueueWatchers& watchers, std::uint32_t index) : watchers_(watchers), index_(index) {}

  /// Where a term asks for messages and nothing else, taking one can only turn it from READY to
  /// WAIT, so nobody needs to know.
  void for_term(SchedulingTerm& term) {
    term_ = &term;
    const Receiver* receiver = term.question().receiver;
    taken_matters_ = receiver == nullptr || EngineAccess::ring(*receiver) == nullptr;
  }
  [[nodiscard]] const Polling& polling() const noexcept { return polling_; }

  void message(Receiver& receiver) override {
    watch_outside(receiver);
    add_once(watchers_.arrivals_[receiver.component_id()], index_);
    if (taken_matters_) {
      add_once(watchers_.spaces_[receiver.component_id()], index_);
    }
  }
  void space(Transmitter& transmitter) override {
    watch_outside(transmitter);
    for (const Receiver* receiver : transmitter.receivers()) {
      add_once(watchers_.spaces_[receiver->component_id()], index_);
    }
  }
  void notification() override {}
  void poll(std::int64_t period) override {
    poll_while_others_run(period);
    polling_.keeps_alive = true;
  }
  void poll_while_others_run(std::int64_t period) override {
    const std::int64_t wanted = std::max<std::int64_t>(period, 1);
    polling_.period = polling_.period == 0 ? wanted : std::min(polling_.period, wanted);
  }

 private:
  void watch_outside(Queue& queue) const {
    if (OutsideQueue* outside = outside_queue(queue)) {
      outside->watch(*term_);
    }
  }

  QueueWatchers& watchers_;
  std::uint32_t index_;
  const SchedulingTerm* term_ = nullptr;
  bool taken_matters_ = true;
  Polling polling_;
};

Polling QueueWatchers::watch(std::uint32_t index, const LiveEntity& entity,
                             const Instance& instance) {
  Collector collector(*this, index);
  for (SchedulingTerm* term : entity.terms) {
    guarded(instance.site(*term, "question"), [&] { collector.for_term(*term); });
    guarded(instance.site(*term, "events"), [&] { term->events(collector); });
  }
  return collector.polling();
}

}  // namespace gxr
