#include "executors/codelet_exchange.hpp"

#include <algorithm>
#include <utility>

#include "graph/check_swap.hpp"
#include "gxr/error.hpp"
#include "observe/facts_text.hpp"
#include "observe/log.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_ended() {
  throw Error(ErrorCode::InvalidState, "the application has ended");
}

/// A call of a codelet that is not in its place, so that its failure is nobody else's.
template <class Call>
void call_quietly(const CallSite& site, const Call& call) noexcept {
  try {
    guarded(site, call);
  } catch (const ComponentFailure& failure) {
    Log::write(LogLevel::Error, describe(failure.failure()));
  }
}

}  // namespace

void CodeletExchange::begin(Instance& instance, std::function<void(EntityId)> tell) {
  {
    const std::lock_guard lock(state_mutex_);
    instance_ = &instance;
    tell_ = std::move(tell);
    has_begun_ = true;
  }
  changed_.notify_all();
}

void CodeletExchange::refuse(std::string reason) {
  {
    const std::lock_guard lock(state_mutex_);
    refusal_ = std::move(reason);
  }
  changed_.notify_all();
}

void CodeletExchange::end() noexcept {
  std::unique_lock lock(state_mutex_);
  has_ended_ = true;
  for (const std::shared_ptr<TurnTask>& task : tasks_) {
    task->cancel();
  }
  changed_.notify_all();
  changed_.wait(lock, [this] { return users_ == 0; });
}

CodeletExchange::Use::Use(CodeletExchange& exchange) : exchange_(exchange) {
  const std::lock_guard lock(exchange_.state_mutex_);
  if (exchange_.has_ended_) {
    throw_ended();
  }
  ++exchange_.users_;
}

CodeletExchange::Use::~Use() {
  {
    const std::lock_guard lock(exchange_.state_mutex_);
    --exchange_.users_;
  }
  exchange_.changed_.notify_all();
}

void CodeletExchange::wait_for_begin() {
  std::unique_lock lock(state_mutex_);
  changed_.wait(lock, [this] { return has_begun_ || has_ended_ || !refusal_.empty(); });
  if (!refusal_.empty()) {
    throw Error(ErrorCode::NotSupported, refusal_);
  }
  if (has_ended_) {
    throw_ended();
  }
}

bool CodeletExchange::has_ended() {
  const std::lock_guard lock(state_mutex_);
  return has_ended_;
}

NewCodelet CodeletExchange::make(ComponentId id, const TypeInfo& type) {
  if (sources_ == nullptr) {
    throw Error(ErrorCode::NotSupported,
                "this program keeps no files, so nothing can be exchanged");
  }
  LiveChanges::SetValues set = changes_.set_values(id);
  NewCodelet made{{}, nullptr, set.last};
  made.graph = std::make_shared<const Graph>(
      check_swap(*changes_.graph(), {id, &type, std::move(set.values)}, catalog_, *sources_,
                 document_, context_.compat_gxf()));
  made.spare = instance_->make_spare(made.graph->components[id], loader_, context_);
  return made;
}

void CodeletExchange::start(const NewCodelet& made, bool beside) {
  Codelet& codelet = made.spare.codelet();
  CallSite call = site(made, "initialize");
  call.beside = beside;
  guarded(call, [&] { codelet.initialize(); });
  EngineAccess::begin_transition(codelet, now());
  call = site(made, "start");
  call.beside = beside;
  try {
    guarded(call, [&] { codelet.start(); });
  } catch (const ComponentFailure&) {
    call_quietly(site(made, "deinitialize"), [&] { codelet.deinitialize(); });
    throw;
  }
}

void CodeletExchange::stop(Component& component, bool beside) noexcept {
  auto& codelet = static_cast<Codelet&>(component);
  EngineAccess::begin_transition(codelet, now());
  CallSite call = instance_->site(codelet, "stop");
  call.beside = beside;
  call_quietly(call, [&] { codelet.stop(); });
  call = instance_->site(codelet, "deinitialize");
  call.beside = beside;
  call_quietly(call, [&] { codelet.deinitialize(); });
}

/// Null: the application has ended.
std::shared_ptr<TurnTask> CodeletExchange::post(EntityId entity, std::function<void(Turn&)> work) {
  auto task = std::make_shared<TurnTask>(std::move(work));
  {
    const std::lock_guard lock(state_mutex_);
    if (has_ended_) {
      return nullptr;
    }
    tasks_.push_back(task);
  }
  instance_->changes().add(entity, task);
  tell_(changes_.leader_of(entity));
  return task;
}

void CodeletExchange::forget(const std::shared_ptr<TurnTask>& task) {
  const std::lock_guard lock(state_mutex_);
  std::erase(tasks_, task);
}

void CodeletExchange::in_turn(EntityId entity, std::function<void(Turn&)> work,
                              std::optional<std::chrono::nanoseconds> patience) {
  const std::shared_ptr<TurnTask> task = post(entity, std::move(work));
  if (task == nullptr) {
    throw_ended();
  }
  bool done = false;
  try {
    done = task->wait(patience);
  } catch (...) {
    forget(task);
    throw;
  }
  forget(task);
  if (!done && has_ended()) {
    throw_ended();
  }
  if (!done) {
    throw Error(ErrorCode::InvalidState, "entity '" + instance_->graph().entities[entity].name +
                                             "' had no turn within " +
                                             duration_text(static_cast<double>(patience->count())) +
                                             ": it is in a tick, or has not started");
  }
}

void CodeletExchange::in_turn_of_held(EntityId entity, const std::function<void(Turn&)>& work) {
  if (const std::shared_ptr<TurnTask> task = post(entity, work); task != nullptr) {
    bool done = false;
    try {
      done = task->wait(std::nullopt);
    } catch (...) {
      forget(task);
      throw;
    }
    forget(task);
    if (done) {
      return;
    }
  }
  std::vector<LiveEntity>& entities = instance_->entities();
  Turn turn{*std::ranges::find(entities, entity, &LiveEntity::id), {}};
  work(turn);
}

void CodeletExchange::settle(NewCodelet& made) {
  LiveChanges::Exchanged before = changes_.exchanged(made.spare, made.graph, made.seen);
  made.graph = std::move(before.graph);
  made.seen = before.last;
}

void release(Turn& turn) { turn.entity.hold.clear(); }

std::optional<SavedState> save_state(const Instance& instance, const Codelet& from,
                                     const StateType& type) {
  std::optional<SavedState> state;
  guarded(instance.site(from, "save_state"), [&] {
    const StateType own = from.state_type();
    if (!own.name.empty() && own.name == type.name) {
      state = {own.version, from.save_state()};
    }
  });
  return state;
}

void load_state(const Instance& instance, Codelet& into, const SavedState& state) {
  guarded(instance.site(into, "load_state"), [&] { into.load_state(state.bytes, state.version); });
}

}  // namespace gxr
