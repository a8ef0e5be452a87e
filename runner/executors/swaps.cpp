#include "executors/swaps.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "device/device_engine.hpp"
#include "graph/check_swap.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"
#include "gxr/cuda/device_ports.hpp"
#include "gxr/error.hpp"
#include "observe/facts_text.hpp"
#include "observe/log.hpp"
#include "plan/region_changes.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {

/// One exchange.
struct Swaps::Change {
  ComponentId id = kNone;
  EntityId entity = kNone;
  const TypeInfo* old_type = nullptr;
  NewCodelet made;  // behind the exchange: the old one, or nothing when it was exclusive
  bool is_exclusive = false;
  bool is_in_graph = false;  // of a GPU
  std::optional<SavedState> state;
  std::chrono::nanoseconds keep_for{0};
  std::optional<std::chrono::nanoseconds> patience;
  std::shared_ptr<Probation> probation;
  std::int64_t held_at = 0;
  SwapResult result;
};

/// The old codelet, for as long as it may have to come back.
class Swaps::Probation final : public TickGuard {
 public:
  Probation(Change& change, CodeletExchange& exchange) : change_(change), exchange_(exchange) {}

  bool rescue(Turn& turn, const Failure& failure, std::uint64_t lost) override {
    const std::lock_guard lock(mutex_);
    if (is_over_) {
      return false;  // then nothing is there any more of what is asked for below
    }
    const Component& now = exchange_.instance().component(change_.id);
    if (failure.component != now.name() || failure.type != now.type()) {
      return false;
    }
    failure_ = failure;
    lost_ = lost;
    if (change_.is_exclusive) {
      turn.entity.hold = "its old operator is being started again";
    } else {
      exchange_.put(turn, change_.made);
    }
    is_over_ = true;
    changed_.notify_all();
    return true;
  }
  [[nodiscard]] bool is_over() const noexcept override { return is_over_; }

  /// As long as it is there, whoever ticks waits with a failure.
  [[nodiscard]] std::unique_lock<std::mutex> not_yet() { return std::unique_lock(mutex_); }
  /// Until it fails, the time has passed, or the application ends.
  void wait() {
    const std::int64_t end = saturated_sum(steady_now(), change_.keep_for.count());
    std::unique_lock lock(mutex_);
    while (!is_over_ && steady_now() < end && !exchange_.has_ended()) {
      changed_.wait_for(lock, std::min(std::chrono::nanoseconds(end - steady_now()), kLook));
    }
    is_over_ = true;
    if (failure_) {
      change_.result.is_kept = false;
      change_.result.failure = failure_;
      change_.result.lost = lost_;
    }
  }

 private:
  static constexpr std::chrono::nanoseconds kLook = std::chrono::milliseconds(10);  // for the end

  Change& change_;
  CodeletExchange& exchange_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::atomic<bool> is_over_{false};
  std::optional<Failure> failure_;
  std::uint64_t lost_ = 0;
};

namespace {

[[noreturn]] void throw_as_error(const ComponentFailure& failure) {
  throw Error(failure.failure().code, describe(failure.failure()));
}

void require_turn(const Turn& turn) {
  if (turn.has_finished) {
    throw Error(ErrorCode::NotSupported,
                "entity " + in_quotes(turn.entity.graph->name) + " has finished");
  }
  if (!turn.entity.hold.empty()) {
    throw Error(ErrorCode::InvalidState,
                "entity " + in_quotes(turn.entity.graph->name) + " is held: " + turn.entity.hold);
  }
}

/// One that has just ended may count for a moment.
void require_no_loop() {
  constexpr std::chrono::milliseconds kMoment(100);
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (DeviceEngine::get().in_flight().has_running_loops()) {
    if (std::chrono::steady_clock::now() > end) {
      throw Error(ErrorCode::InvalidState,
                  "another loop runs on the GPU, for whose end CUDA would wait");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

std::string pause_text(std::int64_t ns) { return duration_text(static_cast<double>(ns)); }

void log_result(const SwapResult& result, const std::string& entity) {
  const std::string names = in_quotes(result.component) + ": " + result.new_type;
  if (result.is_kept) {
    Log::write(LogLevel::Info,
               "swap of " + names + " took the place of " + result.old_type +
                   (result.took_over_state ? " with its state" : "") + "; the entity paused for " +
                   pause_text(result.pause_ns),
               {entity, {}});
    return;
  }
  Log::write(LogLevel::Error,
             "swap of " + names + " failed in its probation, and " + result.old_type +
                 " is back; messages lost: " + std::to_string(result.lost) + ": " +
                 describe(*result.failure),
             {entity, {}});
}

}  // namespace

Swaps::Swaps(const Plan& plan, const TypeCatalog& catalog, ExtensionLoader& loader,
             CodeletExchange& exchange)
    : plan_(plan), catalog_(catalog), copies_(catalog, loader), exchange_(exchange) {}

SwapResult Swaps::swap(const SwapRequest& request) {
  try {
    const CodeletExchange::Use use(exchange_);
    return make_change(request);
  } catch (const std::exception& error) {
    Log::write(LogLevel::Warn, "swap of " + in_quotes(request.operator_name) + " for " +
                                   request.type + " refused: " + error.what());
    throw;
  }
}

SwapResult Swaps::make_change(const SwapRequest& request) {
  Change change;
  change.id = find(request.operator_name);
  exchange_.wait_for_begin();
  std::unique_lock lock(exchange_.mutex());
  const std::shared_ptr<const Graph> graph = exchange_.changes().graph();
  const GraphComponent& component = graph->components[change.id];
  change.entity = component.entity;
  change.is_in_graph = is_in_graph(change.id);
  change.old_type = component.type;
  change.patience = request.options.patience;
  change.keep_for = request.options.keep_for;
  if (in_probation_.contains(change.entity)) {
    throw Error(ErrorCode::InvalidState, called(graph->entities[change.entity]) +
                                             " is in the probation of another exchange");
  }
  try {
    const TypeInfo& type = find_type(request);
    change.result = {graph->full_name(component), component.type->name, type.name};
    if (change.is_in_graph) {
      require_fits_graph(change, type);
    }
    change.made = exchange_.make(change.id, type);
    exchange(change);
    change.result.took_over_state = change.state.has_value();
    exchange_.instance()
        .exchange_facts(change.entity)
        .swaps.fetch_add(1, std::memory_order_relaxed);
    if (change.probation != nullptr) {
      judge(change, lock);
    }
    clear_away(change);
  } catch (const ComponentFailure& failure) {
    throw_as_error(failure);
  }
  log_result(change.result, graph->entities[change.entity].name);
  return change.result;
}

ComponentId Swaps::find(const std::string& operator_name) const {
  const Graph& graph = *plan_.graph;
  const ComponentId id = find_codelet(graph, catalog_, operator_name);
  require_no_handles_to(graph, id);
  return id;
}

/// Throws Error(NotSupported) for a codelet in the place of which the graph has an edge.
bool Swaps::is_in_graph(ComponentId id) const {
  const Graph& graph = *plan_.graph;
  const std::size_t number = graph_regions_of_entities(plan_)[graph.components[id].entity];
  if (number == kNoRegion) {
    return false;
  }
  const Region& region = plan_.regions[number];
  if (std::ranges::find(region.graph->steps, id, &GraphStep::codelet) ==
      region.graph->steps.end()) {
    throw Error(ErrorCode::NotSupported,
                called(graph, graph.components[id]) + " is no operator of the CUDA graph " +
                    in_quotes(region.name) + ", which has an edge in its place");
  }
  return true;
}

const TypeInfo& Swaps::find_type(const SwapRequest& request) {
  const TypeInfo* found = nullptr;
  if (!request.options.extension.empty()) {
    found = &copies_.load(request.options.extension, request.type);
  } else {
    found = catalog_.find(request.type);
  }
  if (found == nullptr) {
    const std::string hint = Suggester(*plan_.graph, catalog_).type(request.type);
    throw Error(ErrorCode::NotFound, "there is no type " + in_quotes(request.type) +
                                         (hint.empty() ? "" : " (" + hint + ")"));
  }
  if (!found->component || found->abstract || !catalog_.is_a(*found, type_name<Codelet>())) {
    throw Error(ErrorCode::NotSupported,
                "type " + in_quotes(found->name) +
                    (found->abstract ? " is only a base type and cannot be used itself"
                                     : " is no codelet"));
  }
  return *found;
}

void Swaps::exchange(Change& change) {
  Instance& instance = exchange_.instance();
  const auto& before = static_cast<const Codelet&>(instance.component(change.id));
  const Codelet& after = change.made.spare.codelet();
  guarded(instance.site(after, "is_exclusive"),
          [&] { change.is_exclusive = before.is_exclusive() || after.is_exclusive(); });
  if (change.is_in_graph) {
    exchange_in_graph(change);
    return;
  }
  if (change.keep_for.count() > 0) {
    change.probation = std::make_shared<Probation>(change, exchange_);
  }
  const auto not_yet =
      change.probation != nullptr ? change.probation->not_yet() : std::unique_lock<std::mutex>();
  if (change.is_exclusive) {
    exchange_exclusively(change);
  } else {
    exchange_beside(change);
  }
  exchange_.settle(change.made);
}

/// Throws Error(NotSupported) for what a CUDA graph cannot do.
void Swaps::require_fits_graph(const Change& change, const TypeInfo& type) {
  const std::string in_graph =
      called(*plan_.graph, plan_.graph->components[change.id]) + " is in a CUDA graph";
  if (!type.capturable) {
    throw Error(ErrorCode::NotSupported,
                in_graph + ", and type " + in_quotes(type.name) + " is not capturable");
  }
  const std::size_t number = graph_regions_of_entities(plan_)[change.entity];
  if (const char* const why = why_fixed(plan_.regions[number])) {
    throw Error(ErrorCode::NotSupported, in_graph + ", and " + why);
  }
  for (Component* const each : exchange_.instance().components_of(change.entity)) {
    if (dynamic_cast<const cuda::DevicePort*>(each) != nullptr) {
      throw Error(ErrorCode::NotSupported,
                  in_graph + ", and tells it of memory and sizes by device ports as it starts");
    }
  }
  if (change.keep_for.count() > 0) {
    throw Error(ErrorCode::NotSupported,
                in_graph +
                    ", whose operators have no ticks that fail one by one, so there is no "
                    "probation");
  }
}

/// The graph stands while the new codelet starts, is captured, and the old one stops: CUDA may wait
/// for the GPU when either takes memory or gives it back.
void Swaps::exchange_in_graph(Change& change) {
  Instance& instance = exchange_.instance();
  auto& before = static_cast<Codelet&>(instance.component(change.id));
  Codelet& after = change.made.spare.codelet();
  if (change.is_exclusive) {
    throw Error(ErrorCode::NotSupported,
                "an exclusive operator cannot be exchanged in a CUDA graph");
  }
  const auto take_over = [&](Turn& turn) {
    const std::int64_t begin = steady_now();
    require_turn(turn);
    require_no_loop();
    change.state = save_state(instance, before, after.state_type());
    try {
      exchange_.start(change.made, false);
    } catch (...) {
      change.made.spare.component.reset();  // as below
      throw;
    }
    try {
      if (change.state) {
        load_state(instance, after, *change.state);
      }
      adapt_graph(turn, change);
    } catch (...) {
      exchange_.stop(after, false);
      change.made.spare.component.reset();  // as below
      throw;
    }
    exchange_.stop(before, false);
    change.made.spare.component.reset();  // what it still has on the GPU goes while nothing runs
    change.result.pause_ns = steady_now() - begin;
  };
  exchange_.in_turn(change.entity, take_over, change.patience);
}

/// When the graph cannot have the new codelet, it gets the old one again; when it cannot have that
/// either, the run fails.
void Swaps::adapt_graph(Turn& turn, Change& change) {
  const std::uint64_t seen = change.made.seen;
  exchange_.put(turn, change.made);
  exchange_.settle(change.made);
  try {
    turn.adapt();
  } catch (...) {
    const std::exception_ptr cause = std::current_exception();
    exchange_.put(turn, change.made);
    change.made.seen = seen;  // what was set since then is set again
    exchange_.settle(change.made);
    try {
      turn.adapt();
    } catch (...) {
      turn.entity.broken = current_failure(
          exchange_.instance().site(exchange_.instance().component(change.id), "swap"));
    }
    std::rethrow_exception(cause);
  }
}

/// The new codelet starts while the old one still ticks.
void Swaps::exchange_beside(Change& change) {
  Instance& instance = exchange_.instance();
  const auto& before = static_cast<const Codelet&>(instance.component(change.id));
  Codelet& after = change.made.spare.codelet();
  exchange_.start(change.made, true);
  const auto take_over = [&](Turn& turn) {
    const std::int64_t begin = steady_now();
    require_turn(turn);
    change.state = save_state(instance, before, after.state_type());
    if (change.state) {
      load_state(instance, after, *change.state);
    }
    exchange_.put(turn, change.made);
    turn.entity.probation = change.probation;
    change.result.pause_ns = steady_now() - begin;
  };
  try {
    exchange_.in_turn(change.entity, take_over, change.patience);
  } catch (...) {
    exchange_.stop(after, true);
    throw;
  }
}

/// The entity is held while the old codelet stops and the new one starts.
void Swaps::exchange_exclusively(Change& change) {
  Instance& instance = exchange_.instance();
  auto& before = static_cast<Codelet&>(instance.component(change.id));
  exchange_.in_turn(
      change.entity,
      [&](Turn& turn) {
        require_turn(turn);
        change.state = save_state(instance, before, change.made.spare.codelet().state_type());
        turn.entity.hold = "its operator is being exchanged";
        change.held_at = steady_now();
      },
      change.patience);
  exchange_.stop(before, false);
  instance.set_gone(change.id, true);
  start_exclusively(change);
  instance.set_gone(change.id, false);
  exchange_.in_turn_of_held(change.entity, [&](Turn& turn) {
    exchange_.put(turn, change.made);
    turn.entity.probation = change.probation;
    release(turn);
    change.result.pause_ns = steady_now() - change.held_at;
  });
}

void Swaps::start_exclusively(Change& change) {
  try {
    exchange_.start(change.made, false);
    try {
      if (change.state) {
        load_state(exchange_.instance(), change.made.spare.codelet(), *change.state);
      }
    } catch (const ComponentFailure&) {
      exchange_.stop(*change.made.spare.component, false);
      throw;
    }
  } catch (const ComponentFailure& failure) {
    bring_back(change, failure);
    throw;
  }
}

/// Makes an exclusive old codelet anew: two of them cannot be there at a time. When that fails, the
/// entity cannot tick any more.
void Swaps::bring_back(Change& change, const ComponentFailure& cause) {
  Instance& instance = exchange_.instance();
  try {
    change.made = exchange_.make(change.id, *change.old_type);
    exchange_.start(change.made, false);
    if (change.state) {
      load_state(instance, change.made.spare.codelet(), *change.state);
    }
  } catch (const std::exception&) {
    const Failure failure = current_failure(instance.site(instance.component(change.id), "swap"));
    exchange_.in_turn_of_held(change.entity, [&](Turn& turn) {
      turn.entity.broken = failure;
      release(turn);
    });
    throw Error(failure.code,
                describe(cause.failure()) +
                    "; the old operator could not be started again: " + describe(failure));
  }
  instance.set_gone(change.id, false);
  exchange_.in_turn_of_held(change.entity, [&](Turn& turn) {
    exchange_.put(turn, change.made);
    release(turn);
  });
  exchange_.settle(change.made);
}

/// Waits for the end of the probation, in which others may be exchanged.
void Swaps::judge(Change& change, std::unique_lock<std::mutex>& lock) {
  in_probation_.insert(change.entity);
  lock.unlock();
  change.probation->wait();
  lock.lock();
  in_probation_.erase(change.entity);
}

/// What is not in its place in the end goes.
void Swaps::clear_away(Change& change) {
  if (change.result.is_kept) {
    if (!change.is_exclusive && !change.is_in_graph) {
      exchange_.stop(*change.made.spare.component, true);
    }
    return;
  }
  if (!change.is_exclusive) {
    exchange_.settle(change.made);
    exchange_.stop(*change.made.spare.component, true);
    return;
  }
  Instance& instance = exchange_.instance();
  exchange_.stop(instance.component(change.id), false);
  instance.set_gone(change.id, true);
  bring_back(change, ComponentFailure(*change.result.failure));
}

}  // namespace gxr
