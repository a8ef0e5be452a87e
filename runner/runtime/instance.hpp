#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"
#include "gxr/codelet.hpp"
#include "gxr/controller.hpp"
#include "gxr/monitor.hpp"
#include "gxr/queue.hpp"
#include "gxr/report.hpp"
#include "gxr/run_status.hpp"
#include "gxr/scheduling_term.hpp"
#include "internal_api.hpp"
#include "observe/call_site.hpp"
#include "observe/trace_events.hpp"
#include "plan/plan.hpp"
#include "registry/extension_loader.hpp"
#include "registry/type_catalog.hpp"
#include "runtime/combined_term.hpp"
#include "runtime/pending_changes.hpp"
#include "runtime/turn_task.hpp"

namespace gxr {

/// The live components of one entity, sorted by what the engine does with them.
struct LiveEntity {
  EntityId id = kNone;
  const GraphEntity* graph = nullptr;
  std::vector<Codelet*> codelets;
  std::vector<SchedulingTerm*> terms;
  std::vector<Receiver*> receivers;
  std::vector<Transmitter*> transmitters;
  Controller* controller = nullptr;  ///< the first, or null
  bool started = false;              ///< start() of all codelets succeeded and stop() has not run
  bool sends_trails = false;         ///< its messages have their own trail; see DataTrail
  // Exchange of its codelets while it runs; of who ticks it.
  std::string hold;               ///< why it must not tick now; empty: it may
  std::optional<Failure> broken;  ///< it cannot tick any more: the run fails in its next turn
  std::shared_ptr<TickGuard> probation;  ///< of a new codelet; may be null
  std::shared_ptr<TickGuard> restarts;   ///< what its file says of failures; may be null
};

/// How often codelets of an entity were exchanged. Any thread.
struct ExchangeFacts {
  std::atomic<const std::string*> type{nullptr};  ///< of the first codelet
  std::atomic<std::uint64_t> swaps{0};
  std::atomic<std::uint64_t> restarts{0};
  std::atomic<std::uint64_t> lost{0};  ///< messages that failing ticks had taken
};

/// A codelet beside those of an application, for the place of one of them, or from there.
struct SpareCodelet {
  std::unique_ptr<Component> component;
  std::vector<ParameterBase*> dynamic;  ///< its dynamic parameters
  const CallSite* tick = nullptr;       ///< of its ticks
  [[nodiscard]] Codelet& codelet() const { return static_cast<Codelet&>(*component); }
};

/// The components of an application as C++ objects: made from a Graph, initialised in activation
/// order, deinitialised in reverse. Refers to graph and plan. One thread.
class Instance {
 public:
  /// Makes and configures all components and connects the queues. Throws ComponentFailure or Error.
  Instance(const Graph& graph, const Plan& plan, const TypeCatalog& catalog,
           ExtensionLoader& loader, Context& context);
  /// Only makes and configures them, for who asks what they are before there is a run; component()
  /// alone may be called until enter(). `context` is theirs until then. Throws likewise.
  Instance(const Graph& graph, ExtensionLoader& loader, std::unique_ptr<Context> context);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  GXR_INTERNAL_API ~Instance();

  /// Puts components that were made before into the run of `context`, and connects the queues.
  /// Once.
  void enter(const Plan& plan, const TypeCatalog& catalog, Context& context);
  /// start() and stop() of entities are events of `trace`, unless it is null.
  void set_trace(TraceEvents* trace) noexcept { trace_ = trace; }
  /// Called when the run is to end before all its work is done.
  void set_at_early_end(std::function<void()> call) { at_early_end_ = std::move(call); }
  /// Called before all entities that still run are stopped.
  void set_before_stops(std::function<void()> call) { before_stops_ = std::move(call); }
  /// initialize() of all components; on a failure those that succeeded are deinitialised and
  /// ComponentFailure is thrown.
  void initialize();
  /// The run is to end before all its work is done: before anybody is waited for. May be called
  /// several times.
  void announce_early_end() const;
  /// Whoever stops all entities says so first. May be called several times.
  void prepare_stops() const;
  /// Stops what still runs, in reverse order; failures are collected.
  void stop_all(std::int64_t now, std::vector<Failure>& failures);
  /// Deinitialises everything in reverse order, after stop_all(); failures are collected. Each
  /// component is passed to `before` right before its deinitialize(); queues are empty by then.
  void deactivate(std::vector<Failure>& failures,
                  const std::function<void(const Component&)>& before = {});
  /// Destroys the components that may hold messages; the allocators behind those stay. Nothing
  /// else may be called afterwards.
  void destroy_all_but_allocators() noexcept;
  /// start() of the entity's codelets; on failure those that started are stopped, and
  /// ComponentFailure is thrown.
  void start(LiveEntity& entity, std::int64_t now);
  /// stop() of all its codelets; all are called, failures are collected.
  void stop(LiveEntity& entity, std::int64_t now, std::vector<Failure>& failures);

  [[nodiscard]] Component& component(ComponentId id) const { return *components_[id]; }
  /// The same while codelets are exchanged. Any thread.
  [[nodiscard]] Component& component_now(ComponentId id) const;
  [[nodiscard]] std::vector<Component*> components_of(EntityId entity) const;
  /// Of all entities, one after the other.
  [[nodiscard]] std::vector<Component*> components() const;
  /// What programs change while it runs.
  [[nodiscard]] PendingChanges& changes() noexcept { return changes_; }
  /// Reads a value that was checked, for a dynamic parameter of a component, which keeps the old
  /// one. Throws Error when the parameter cannot have it. Any thread.
  [[nodiscard]] PendingChanges::Value read(ComponentId id, const ParameterAssignment& assignment);
  /// Puts those values of an entity that are for what is there now, in a turn of it.
  void put(const std::vector<PendingChanges::Value>& values);

  // Exchange of codelets while they run; one thread at a time.
  /// Makes a codelet as `described`, a component of the graph with another type or other values;
  /// its handles are to what is there now. Throws ComponentFailure or Error.
  [[nodiscard]] SpareCodelet make_spare(const GraphComponent& described, ExtensionLoader& loader,
                                        Context& context);
  /// Exchanges the codelet of that number and `spare`, in a turn of its entity.
  void exchange(Turn& turn, SpareCodelet& spare);
  /// read() is for the codelet that came by exchange(); `spare` is what that left. Not while others
  /// call read().
  void exchange_dynamic(SpareCodelet& spare);
  /// The codelet of that number is deinitialised already, or not any more.
  void set_gone(ComponentId id, bool gone);
  /// Of an entity, any thread.
  [[nodiscard]] ExchangeFacts& exchange_facts(EntityId entity) const { return facts_[entity]; }

  /// Entities with codelets, in activation order.
  [[nodiscard]] std::vector<LiveEntity>& entities() noexcept { return entities_; }
  [[nodiscard]] const std::vector<LiveEntity>& entities() const noexcept { return entities_; }
  /// Puts merged[g] in the place of all entities whose group_of is g; those of a group that is not
  /// in `merged` stay.
  void merge_entities(const std::vector<std::size_t>& group_of,
                      std::unordered_map<std::size_t, LiveEntity> merged);
  /// All receivers and transmitters of the application.
  [[nodiscard]] const std::vector<Queue*>& queues() const noexcept { return queues_; }
  [[nodiscard]] const std::vector<Monitor*>& monitors() const noexcept { return monitors_; }
  [[nodiscard]] const std::vector<const Allocator*>& allocators() const noexcept {
    return allocators_;
  }
  [[nodiscard]] const Graph& graph() const noexcept { return graph_; }
  /// Call site of a component's method; views into the graph.
  [[nodiscard]] CallSite site(const Component& component, std::string_view method) const;

 private:
  void start_codelets(LiveEntity& entity, std::int64_t now);
  void stop_codelets(const LiveEntity& entity, std::int64_t now, std::vector<Failure>& failures);
  void make_components(ExtensionLoader& loader, Context& context);
  void attach(ComponentId id, Context& context);
  std::vector<ParameterBase*> configure(const GraphComponent& described, Component& component,
                                        Interface& interface);
  void tell_consumers(const GraphComponent& described, Component& component);
  std::vector<ParameterBase*> require_values(const GraphComponent& described,
                                             const Component& component,
                                             const Interface& interface);
  void connect();
  void sort_entities(const TypeCatalog& catalog);
  void combine_terms(LiveEntity& entity, const std::vector<SchedulingTermCombiner*>& combiners);
  /// Messages go back while the allocators behind them still work.
  void drain_queues(std::vector<Failure>& failures);

  const Graph& graph_;
  const Plan* plan_ = nullptr;                          // null before enter()
  std::unique_ptr<Context> first_context_;              // of components that are in no run yet
  std::vector<std::unique_ptr<Component>> components_;  // by ComponentId; connections too
  std::vector<LiveEntity> entities_;
  std::vector<std::unique_ptr<CombinedTerm>> combined_;
  std::vector<Queue*> queues_;                // all receivers and transmitters
  std::vector<Monitor*> monitors_;            // of the whole application
  std::vector<const Allocator*> allocators_;  // likewise
  std::vector<ComponentId> initialized_;      // in order
  struct Dynamic {
    std::vector<ParameterBase*> parameters;
    std::uint32_t exchanges = 0;
  };
  std::unordered_map<ComponentId, Dynamic> dynamic_;  // those that have any, or had
  std::vector<std::uint32_t> exchanges_;              // by ComponentId; of who ticks the entity
  std::vector<std::atomic<bool>> gone_;     // by ComponentId: deinitialised before the end
  std::unique_ptr<ExchangeFacts[]> facts_;  // by EntityId
  std::deque<CallSite> sites_;              // of spare codelets
  mutable std::mutex exchange_mutex_;       // guards components_ against component_now()
  PendingChanges changes_;
  TraceEvents* trace_ = nullptr;
  std::function<void()> at_early_end_;
  std::function<void()> before_stops_;
};

/// A component call threw.
class ComponentFailure : public std::exception {
 public:
  explicit ComponentFailure(Failure failure) : failure_(std::move(failure)) {}
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }
  [[nodiscard]] const char* what() const noexcept override { return failure_.text.c_str(); }

 private:
  Failure failure_;
};

/// The exception being handled, as a Failure of `site`. Call in a catch block.
Failure current_failure(const CallSite& site);

/// Runs `call` marked as `site`; what it throws becomes a ComponentFailure.
template <class F>
void guarded(const CallSite& site, F&& call) {
  const CallScope scope(site);
  try {
    call();
  } catch (...) {
    throw ComponentFailure(current_failure(site));
  }
}

}  // namespace gxr
