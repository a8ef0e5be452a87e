#include "executors/restarts.hpp"

#include <algorithm>
#include <utility>

#include "document/number_text.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "observe/facts_text.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {

/// What `on_failure` says of one entity, and how often it was needed.
class Restarts::Guard final : public TickGuard, public std::enable_shared_from_this<Guard> {
 public:
  Guard(Restarts& restarts, const GraphEntity& entity)
      : restarts_(restarts), entity_(entity), rule_(*entity.restart) {}

  [[nodiscard]] const GraphEntity& entity() const noexcept { return entity_; }

  bool rescue(Turn& turn, const Failure& failure, std::uint64_t lost) override {
    const ComponentId component = failed_component(turn, failure);
    if (component == kNone || !count(failure)) {
      return false;
    }
    Log::write(LogLevel::Error,
               describe(failure) + "; " + counted(lost, "message is", "messages are") +
                   " lost, and it is made anew" +
                   (rule_.delay_ns > 0 ? " in " + duration_text(static_cast<double>(rule_.delay_ns))
                                       : std::string()),
               {entity_.name, failure.component});
    turn.entity.hold = "it is made anew, because a tick failed: " + failure.text;
    restarts_.add({next_time(), shared_from_this(), component});
    return true;
  }
  [[nodiscard]] bool is_over() const noexcept override { return false; }

  /// Another failure. False: there were too many.
  bool count(const Failure& failure) {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = steady_now();
    while (!times_.empty() && now - times_.front() > rule_.window_ns) {
      times_.pop_front();
    }
    if (times_.size() >= rule_.limit) {
      Log::write(LogLevel::Error,
                 called(entity_) + " was made anew " + counted(times_.size(), "time", "times") +
                     " within " + duration_text(static_cast<double>(rule_.window_ns)) +
                     ", which is the limit of its on_failure; now the run fails",
                 {entity_.name, failure.component});
      return false;
    }
    times_.push_back(now);
    return true;
  }
  [[nodiscard]] std::int64_t next_time() const {
    return saturated_sum(steady_now(), rule_.delay_ns);
  }

 private:
  static ComponentId failed_component(const Turn& turn, const Failure& failure) {
    const auto found = std::ranges::find_if(turn.entity.codelets, [&](const Codelet* codelet) {
      return codelet->name() == failure.component && codelet->type() == failure.type;
    });
    return found == turn.entity.codelets.end() ? kNone : (*found)->component_id();
  }

  Restarts& restarts_;
  const GraphEntity& entity_;
  const RestartRule rule_;
  std::mutex mutex_;  // guards times_
  std::deque<std::int64_t> times_;
};

void Restarts::begin(Instance& instance) {
  require_no_graph();
  bool any = false;
  for (LiveEntity& live : instance.entities()) {
    if (live.graph->restart) {
      live.restarts = std::make_shared<Guard>(*this, *live.graph);
      any = true;
    }
  }
  if (any) {
    thread_ = start_thread("the thread that makes failed operators anew", [this] { work(); });
  }
}

void Restarts::require_no_graph() const {
  const std::vector<std::size_t> regions = graph_regions_of_entities(plan_);
  for (const GraphEntity& entity : plan_.graph->entities) {
    if (entity.restart && regions[entity.id] != kNoRegion) {
      throw ComponentFailure({entity.name,
                              {},
                              "gxr",
                              "on_failure",
                              "operators of CUDA graphs cannot be made anew; this one is in " +
                                  in_quotes(plan_.regions[regions[entity.id]].name),
                              ErrorCode::NotSupported});
    }
  }
}

void Restarts::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Restarts::add(Due due) {
  {
    const std::lock_guard lock(mutex_);
    due_.push_back(std::move(due));
  }
  changed_.notify_all();
}

void Restarts::work() {
  for (Due due; wait_for_due(due);) {
    try {
      const CodeletExchange::Use use(exchange_);
      exchange_.wait_for_begin();
      const std::lock_guard lock(exchange_.mutex());
      restart(std::move(due));
    } catch (const std::exception&) {  // the application has ended
    }
  }
}

/// The one whose time comes first, when it has come. False: it is the end.
bool Restarts::wait_for_due(Due& due) {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    const auto first = std::ranges::min_element(due_, {}, &Due::at);
    if (first == due_.end()) {
      changed_.wait(lock);
    } else if (const std::int64_t left = first->at - steady_now(); left > 0) {
      changed_.wait_for(lock, std::chrono::nanoseconds(std::min(left, kLongestWait)));
    } else {
      due = std::move(*first);
      due_.erase(first);
      return true;
    }
  }
  return false;
}

void Restarts::restart(Due due) {
  Instance& instance = exchange_.instance();
  const EntityId entity = due.guard->entity().id;
  stop_old(due);
  try {
    NewCodelet made =
        exchange_.make(due.component, *exchange_.changes().graph()->components[due.component].type);
    exchange_.start(made, false);
    instance.set_gone(due.component, false);
    exchange_.in_turn_of_held(entity, [&](Turn& turn) {
      exchange_.put(turn, made);
      release(turn);
      instance.exchange_facts(entity).restarts.fetch_add(1, std::memory_order_relaxed);
    });
    exchange_.settle(made);
    Log::write(LogLevel::Info,
               in_quotes(instance.component(due.component).full_name()) + " was made anew",
               {due.guard->entity().name, {}});
  } catch (const std::exception&) {
    const Failure failure =
        current_failure(instance.site(instance.component(due.component), "restart"));
    if (due.guard->count(failure)) {
      Log::write(LogLevel::Error, "cannot be made anew: " + describe(failure),
                 {due.guard->entity().name, {}});
      due.at = due.guard->next_time();
      add(std::move(due));
    } else {
      give_up(due, failure);
    }
  }
}

void Restarts::stop_old(Due& due) {
  if (!due.is_stopped) {
    Instance& instance = exchange_.instance();
    exchange_.stop(instance.component(due.component), false);
    instance.set_gone(due.component, true);
    due.is_stopped = true;
  }
}

void Restarts::give_up(const Due& due, const Failure& failure) {
  exchange_.in_turn_of_held(due.guard->entity().id, [&](Turn& turn) {
    turn.entity.broken = failure;
    release(turn);
  });
}

}  // namespace gxr
