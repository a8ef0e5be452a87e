#include "runtime/instance.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "graph/find_consumers.hpp"
#include "gxr/allocator.hpp"
#include "gxr/consumers.hpp"
#include "gxr/error.hpp"
#include "observe/exception_text.hpp"
#include "observe/log.hpp"
#include "sdk/engine_access.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// Resolves the handles of one component from what the graph already found.
class GraphHandles final : public ParameterContext {
 public:
  explicit GraphHandles(const std::vector<std::unique_ptr<Component>>& components)
      : components_(components) {}

  void use(const ParameterAssignment& assignment) noexcept {
    assignment_ = &assignment;
    set_declaration(assignment.info);
  }

  Component* resolve(const Value& value) override {
    for (const HandleReference& handle : assignment_->handles) {
      if (handle.value == &value) {
        return handle.target == kNone ? nullptr : components_[handle.target].get();
      }
    }
    throw Error(ErrorCode::NotFound, "'" + std::string(value.text()) + "' names no component");
  }

 private:
  const std::vector<std::unique_ptr<Component>>& components_;
  const ParameterAssignment* assignment_ = nullptr;
};

/// What the engine does with the components of a type.
struct ComponentRole {
  bool codelet = false;
  bool term = false;
  bool receiver = false;
  bool transmitter = false;
  bool combiner = false;
  bool controller = false;
  bool monitor = false;
  bool allocator = false;
};

ParameterBase* find_member(const Interface& interface, std::string_view key) noexcept {
  for (const auto& binding : EngineAccess::bindings(interface)) {
    if (binding.key == key) {
      return binding.member;
    }
  }
  return nullptr;
}

std::string where_set(const ParameterAssignment& assignment) {
  return "parameter '" + std::string(assignment.key) + "': ";
}

/// Throws Error that names the parameter.
void read_into(ParameterBase& member, const ParameterAssignment& assignment,
               GraphHandles& handles) {
  handles.use(assignment);
  try {
    EngineAccess::read(member, *assignment.value, handles);
  } catch (const Error& error) {
    throw Error(error.code(), where_set(assignment) + error.message());
  }
}

[[noreturn]] void throw_no_value(std::string_view key) {
  throw Error(ErrorCode::InvalidParameter,
              "mandatory parameter '" + std::string(key) + "' has no value");
}

/// Runs `call`, which is gxr's own work for a component; for lack of memory it fails as that one.
template <class F>
void for_component(const CallSite& site, F&& call) {
  try {
    call();
  } catch (const std::bad_alloc&) {
    throw ComponentFailure(current_failure(site));
  }
}

/// Takes the place of a data type that an application lists as a component.
class Bystander final : public Component {};

std::unique_ptr<Component> make_bystander() { return std::make_unique<Bystander>(); }

/// Throws Error when a provider's function makes none.
std::unique_ptr<Component> make_with(const ComponentFactory& create) {
  std::unique_ptr<Component> made = create();
  if (made == nullptr) {
    throw Error(ErrorCode::Failure, "the type's provider made no component");
  }
  return made;
}

/// start() or stop() of an entity on the time line; nothing without one.
class TracedTransition {
 public:
  TracedTransition(TraceEvents* trace, const LiveEntity& entity, const TraceKind& kind) {
    if (trace != nullptr) {
      track_ = &trace->this_thread();
      event_ = track_->open(trace->name(entity.graph->name), kind, steady_now());
    }
  }
  TracedTransition(const TracedTransition&) = delete;
  TracedTransition& operator=(const TracedTransition&) = delete;
  ~TracedTransition() {
    if (track_ != nullptr) {
      track_->close(event_, steady_now(), failure_);
    }
  }
  void fail(const Failure& failure) {
    if (track_ != nullptr) {
      failure_ = describe(failure);
    }
  }

 private:
  TraceEvents::Track* track_ = nullptr;
  TraceEvents::Event* event_ = nullptr;
  std::string failure_;
};

}  // namespace

Failure current_failure(const CallSite& site) {
  Failure failure;
  failure.entity = site.entity;
  failure.component = site.component;
  failure.type = site.type;
  failure.method = site.method;
  try {
    throw;
  } catch (const ComponentFailure& inner) {
    return inner.failure();
  } catch (const Error& error) {
    failure.code = error.code();
    failure.text = error.message();
  } catch (const std::bad_alloc&) {
    failure.code = ErrorCode::OutOfMemory;
    failure.text = "out of memory";
  } catch (const std::exception& error) {
    failure.text = exception_text(error);
  } catch (...) {
    failure.text =
        "threw an exception of type '" + current_exception_type() + "' that is no std::exception";
  }
  return failure;
}

Instance::Instance(const Graph& graph, const Plan& plan, const TypeCatalog& catalog,
                   ExtensionLoader& loader, Context& context)
    : graph_(graph),
      plan_(&plan),
      exchanges_(graph.components.size()),
      gone_(graph.components.size()),
      facts_(std::make_unique<ExchangeFacts[]>(graph.entities.size())),
      changes_(graph.entities.size()) {
  make_components(loader, context);
  connect();
  sort_entities(catalog);
}

Instance::Instance(const Graph& graph, ExtensionLoader& loader, std::unique_ptr<Context> context)
    : graph_(graph),
      first_context_(std::move(context)),
      exchanges_(graph.components.size()),
      gone_(graph.components.size()),
      facts_(std::make_unique<ExchangeFacts[]>(graph.entities.size())),
      changes_(graph.entities.size()) {
  make_components(loader, *first_context_);
}

void Instance::enter(const Plan& plan, const TypeCatalog& catalog, Context& context) {
  plan_ = &plan;
  for (const GraphComponent& c : graph_.components) {
    attach(c.id, context);
  }
  first_context_.reset();
  connect();
  sort_entities(catalog);
}

Instance::~Instance() { destroy_all_but_allocators(); }

void Instance::destroy_all_but_allocators() noexcept {
  for (const LiveEntity& entity : entities_) {
    for (const Codelet* codelet : entity.codelets) {
      components_[codelet->component_id()].reset();
    }
  }
  entities_.clear();  // they refer to what is gone
  for (std::size_t i = components_.size(); i-- > 0;) {
    if (dynamic_cast<const Allocator*>(components_[i].get()) == nullptr) {
      components_[i].reset();
    }
  }
}

CallSite Instance::site(const Component& component, std::string_view method) const {
  return {method, component.entity_name(), component.name(), component.type(),
          component.component_id()};
}

void Instance::attach(ComponentId id, Context& context) {
  const GraphComponent& c = graph_.components[id];
  EngineAccess::attach(*components_[id], {&context, &c.name, &graph_.entities[c.entity].name,
                                          &c.type->name, id, c.entity});
}

void Instance::make_components(ExtensionLoader& loader, Context& context) {
  std::unordered_map<const TypeInfo*, ComponentFactory> creators;
  components_.resize(graph_.components.size());
  for (const GraphComponent& c : graph_.components) {
    const std::string& entity_name = graph_.entities[c.entity].name;
    const CallSite constructor{"constructor", entity_name, c.name, c.type->name};
    for_component(constructor, [&] {
      ComponentFactory& create = creators[c.type];
      if (!create) {
        create = c.type->component ? loader.creator(*c.type) : ComponentFactory(make_bystander);
      }
      guarded(constructor, [&] { components_[c.id] = make_with(create); });
      attach(c.id, context);
    });
  }
  // Handles may point forward, so parameters are set when all components exist.
  Interface interface = EngineAccess::make_interface();
  for (const GraphComponent& c : graph_.components) {
    for_component(site(*components_[c.id], "declare"), [&] {
      std::vector<ParameterBase*> dynamic = configure(c, *components_[c.id], interface);
      if (!dynamic.empty()) {
        dynamic_[c.id].parameters = std::move(dynamic);
      }
    });
  }
}

/// Returns the dynamic parameters.
std::vector<ParameterBase*> Instance::configure(const GraphComponent& described,
                                                Component& component, Interface& interface) {
  EngineAccess::clear(interface);
  guarded(site(component, "declare"), [&] { component.declare(interface); });
  GraphHandles handles(components_);
  for (const ParameterAssignment& assignment : described.parameters) {
    ParameterBase* const member = find_member(interface, assignment.key);
    if (member == nullptr) {
      continue;  // an unknown key, which resolve() reported and --compat gxf tolerates
    }
    guarded(site(component, "parameter"), [&] { read_into(*member, assignment, handles); });
  }
  tell_consumers(described, component);
  return require_values(described, component, interface);
}

void Instance::tell_consumers(const GraphComponent& described, Component& component) {
  auto* const aware = dynamic_cast<ConsumerAware*>(&component);
  if (aware == nullptr) {
    return;
  }
  for (const PortInfo& port : described.type->ports) {
    const ComponentId queue = described.handle(port.key);
    if (port.direction == PortInfo::Direction::Output && queue != kNone) {
      guarded(site(component, "set_consumers"),
              [&] { aware->set_consumers(port.key, consumers_of(graph_, queue)); });
    }
  }
}

/// Returns the dynamic parameters.
std::vector<ParameterBase*> Instance::require_values(const GraphComponent& described,
                                                     const Component& component,
                                                     const Interface& interface) {
  std::vector<ParameterBase*> dynamic;
  const auto& bindings = EngineAccess::bindings(interface);
  for (std::size_t i = 0; i < bindings.size() && i < described.type->parameters.size(); ++i) {
    const auto& [key, member] = bindings[i];
    const ParameterInfo& info = described.type->parameters[i];
    if (info.dynamic && info.key == key) {
      dynamic.push_back(member);
    }
    if (!member->has_value() && !info.optional && info.key == key) {
      guarded(site(component, "parameter"), [name = key] { throw_no_value(name); });
    }
  }
  return dynamic;
}

PendingChanges::Value Instance::read(ComponentId id, const ParameterAssignment& assignment) {
  const auto dynamic = dynamic_.find(id);
  if (dynamic != dynamic_.end()) {
    for (ParameterBase* const member : dynamic->second.parameters) {
      if (member->key() == assignment.key) {
        PendingChanges::Value read{graph_.components[id].entity, member,
                                   EngineAccess::make_another(*member), id,
                                   dynamic->second.exchanges};
        GraphHandles handles(components_);
        read_into(*read.value, assignment, handles);
        if (!read.value->has_value() && !assignment.info->optional) {
          throw_no_value(assignment.key);
        }
        return read;
      }
    }
  }
  throw Error(ErrorCode::InvalidState,
              where_set(assignment) + "it is not dynamic; set it before the run, with -p");
}

void Instance::put(const std::vector<PendingChanges::Value>& values) {
  for (const PendingChanges::Value& each : values) {
    // What is gone has no use for its values; those of what came instead were added again.
    if (each.exchanges == exchanges_[each.component]) {
      EngineAccess::swap_value(*each.parameter, *each.value);
    }
  }
}

Component& Instance::component_now(ComponentId id) const {
  const std::lock_guard lock(exchange_mutex_);
  return *components_[id];
}

SpareCodelet Instance::make_spare(const GraphComponent& described, ExtensionLoader& loader,
                                  Context& context) {
  const GraphComponent& c = graph_.components[described.id];
  const std::string& entity = graph_.entities[c.entity].name;
  const CallSite constructor{"constructor", entity, c.name, described.type->name};
  SpareCodelet made;
  for_component(constructor, [&] {
    const ComponentFactory create = loader.creator(*described.type);
    guarded(constructor, [&] { made.component = make_with(create); });
    EngineAccess::attach(*made.component,
                         {&context, &c.name, &entity, &described.type->name, c.id, c.entity});
    Interface interface = EngineAccess::make_interface();
    made.dynamic = configure(described, *made.component, interface);
  });
  made.tick = &sites_.emplace_back(site(*made.component, "tick"));
  return made;
}

void Instance::exchange(Turn& turn, SpareCodelet& spare) {
  const ComponentId id = spare.component->component_id();
  Codelet* const before = static_cast<Codelet*>(components_[id].get());
  std::ranges::replace(turn.entity.codelets, before, &spare.codelet());
  const auto tick = std::ranges::find(turn.ticks, before, &CodeletTick::codelet);
  if (tick != turn.ticks.end()) {
    tick->codelet = &spare.codelet();
    std::swap(tick->site, spare.tick);
  }
  {
    const std::lock_guard lock(exchange_mutex_);
    components_[id].swap(spare.component);
  }
  ++exchanges_[id];
  facts_[turn.entity.id].type.store(&turn.entity.codelets.front()->type());
}

void Instance::exchange_dynamic(SpareCodelet& spare) {
  Dynamic& dynamic = dynamic_[spare.component->component_id()];
  dynamic.parameters.swap(spare.dynamic);
  ++dynamic.exchanges;
}

void Instance::set_gone(ComponentId id, bool gone) { gone_[id] = gone; }

void Instance::connect() {
  const std::vector<std::size_t> regions = graph_regions_of_entities(*plan_);
  const auto region_of = [&](ComponentId id) { return regions[graph_.components[id].entity]; };
  for (const Link& link : graph_.links) {
    const std::size_t from = region_of(link.transmitter);
    const bool is_edge = from != kNoRegion && from == region_of(link.receiver);
    if (link.duplicate || is_edge) {
      continue;  // no message passes the edges of a CUDA graph
    }
    auto& transmitter = static_cast<Transmitter&>(*components_[link.transmitter]);
    EngineAccess::connect(transmitter, static_cast<Receiver&>(*components_[link.receiver]));
  }
}

void Instance::sort_entities(const TypeCatalog& catalog) {
  std::unordered_map<const TypeInfo*, ComponentRole> roles;
  const auto role_of = [&](const TypeInfo* type) -> const ComponentRole& {
    const auto [entry, is_new] = roles.try_emplace(type);
    if (is_new) {
      ComponentRole& role = entry->second;
      role.codelet = catalog.is_a(*type, type_name<Codelet>());
      role.term = catalog.is_a(*type, type_name<SchedulingTerm>());
      role.receiver = catalog.is_a(*type, type_name<Receiver>());
      role.transmitter = catalog.is_a(*type, type_name<Transmitter>());
      role.combiner = catalog.is_a(*type, type_name<SchedulingTermCombiner>());
      role.controller = catalog.is_a(*type, type_name<Controller>());
      role.monitor = catalog.is_a(*type, type_name<Monitor>());
      role.allocator = catalog.is_a(*type, type_name<Allocator>());
    }
    return entry->second;
  };
  for (const EntityId id : plan_->activation_order) {
    LiveEntity live;
    live.id = id;
    live.graph = &graph_.entities[id];
    std::vector<SchedulingTermCombiner*> combiners;
    for (const ComponentId c : live.graph->components) {
      Component* component = components_[c].get();
      const ComponentRole& role = role_of(graph_.components[c].type);
      if (role.codelet) {
        live.codelets.push_back(static_cast<Codelet*>(component));
      } else if (role.term) {
        live.terms.push_back(static_cast<SchedulingTerm*>(component));
      } else if (role.receiver) {
        live.receivers.push_back(static_cast<Receiver*>(component));
        queues_.push_back(live.receivers.back());
      } else if (role.transmitter) {
        live.transmitters.push_back(static_cast<Transmitter*>(component));
        queues_.push_back(live.transmitters.back());
      } else if (role.combiner) {
        combiners.push_back(static_cast<SchedulingTermCombiner*>(component));
      } else if (role.controller && live.controller == nullptr) {
        live.controller = static_cast<Controller*>(component);
      } else if (role.monitor) {
        monitors_.push_back(static_cast<Monitor*>(component));
      } else if (role.allocator) {
        allocators_.push_back(static_cast<Allocator*>(component));
      }
    }
    combine_terms(live, combiners);
    if (!live.codelets.empty()) {
      facts_[id].type.store(&live.codelets.front()->type());
      entities_.push_back(std::move(live));
    }
  }
}

/// Terms of a combiner give way to one that stands for all of them.
void Instance::combine_terms(LiveEntity& entity,
                             const std::vector<SchedulingTermCombiner*>& combiners) {
  for (SchedulingTermCombiner* combiner : combiners) {
    const std::vector<SchedulingTerm*> taken = combiner->terms();
    std::erase_if(entity.terms, [&](SchedulingTerm* term) {
      return std::find(taken.begin(), taken.end(), term) != taken.end();
    });
    auto combined = std::make_unique<CombinedTerm>(*combiner);
    const GraphComponent& c = graph_.components[combiner->component_id()];
    EngineAccess::attach(*combined, {&combiner->context(), &c.name, &entity.graph->name,
                                     &c.type->name, c.id, entity.id});
    entity.terms.push_back(combined.get());
    combined_.push_back(std::move(combined));
  }
}

void Instance::merge_entities(const std::vector<std::size_t>& group_of,
                              std::unordered_map<std::size_t, LiveEntity> merged) {
  std::vector<LiveEntity> all;
  std::unordered_set<std::size_t> placed;
  for (LiveEntity& entity : entities_) {
    const std::size_t group = group_of[entity.id];
    const auto found = merged.find(group);
    if (found == merged.end()) {
      all.push_back(std::move(entity));
    } else if (placed.insert(group).second) {
      all.push_back(std::move(found->second));
    }
  }
  entities_ = std::move(all);
}

std::vector<Component*> Instance::components_of(EntityId entity) const {
  std::vector<Component*> result;
  for (const ComponentId id : graph_.entities[entity].components) {
    result.push_back(components_[id].get());
  }
  return result;
}

std::vector<Component*> Instance::components() const {
  std::vector<Component*> result;
  for (EntityId entity = 0; entity < graph_.entities.size(); ++entity) {
    for (const ComponentId id : graph_.entities[entity].components) {
      if (Component* const component = components_[id].get(); component != nullptr) {
        result.push_back(component);
      }
    }
  }
  return result;
}

void Instance::initialize() {
  initialized_.reserve(components_.size());
  for (const EntityId entity : plan_->activation_order) {
    for (const ComponentId id : graph_.entities[entity].components) {
      guarded(site(*components_[id], "initialize"), [&] { components_[id]->initialize(); });
      initialized_.push_back(id);
    }
  }
}

void Instance::announce_early_end() const {
  if (at_early_end_) {
    at_early_end_();
  }
}

void Instance::prepare_stops() const {
  if (before_stops_) {
    before_stops_();
  }
}

void Instance::stop_all(std::int64_t now, std::vector<Failure>& failures) {
  prepare_stops();
  for (std::size_t i = entities_.size(); i-- > 0;) {
    if (entities_[i].started) {
      stop(entities_[i], now, failures);
    }
  }
}

void Instance::deactivate(std::vector<Failure>& failures,
                          const std::function<void(const Component&)>& before) {
  drain_queues(failures);
  while (!initialized_.empty()) {
    const ComponentId id = initialized_.back();
    initialized_.pop_back();
    if (gone_[id]) {
      continue;
    }
    if (before) {
      before(*components_[id]);
    }
    try {
      guarded(site(*components_[id], "deinitialize"), [&] { components_[id]->deinitialize(); });
    } catch (const ComponentFailure& failure) {
      failures.push_back(failure.failure());
    }
  }
}

void Instance::drain_queues(std::vector<Failure>& failures) {
  for (Queue* queue : queues_) {
    try {
      queue->clear();
    } catch (...) {
      failures.push_back(current_failure(site(*queue, "clear")));
    }
  }
}

void Instance::start(LiveEntity& entity, std::int64_t now) {
  if (Log::enabled(LogLevel::Debug)) {
    const std::string& name = entity.graph->name;
    Log::write(LogLevel::Debug, "starts entity '" + name + "'", {name, {}});
  }
  TracedTransition traced(trace_, entity, kStartEvent);
  try {
    start_codelets(entity, now);
  } catch (const ComponentFailure& failure) {
    traced.fail(failure.failure());
    throw;
  }
  for (Monitor* monitor : monitors_) {
    guarded(site(*monitor, "on_start"), [&] { monitor->on_start(entity.id, entity.graph->name); });
  }
}

void Instance::start_codelets(LiveEntity& entity, std::int64_t now) {
  for (std::size_t i = 0; i < entity.codelets.size(); ++i) {
    Codelet& codelet = *entity.codelets[i];
    EngineAccess::begin_transition(codelet, now);
    try {
      guarded(site(codelet, "start"), [&] { codelet.start(); });
    } catch (const ComponentFailure&) {
      std::vector<Failure> ignored;  // the cause is what the user needs to see
      LiveEntity begun = entity;
      begun.codelets.resize(i);
      stop_codelets(begun, now, ignored);
      throw;
    }
  }
  entity.started = true;
}

void Instance::stop(LiveEntity& entity, std::int64_t now, std::vector<Failure>& failures) {
  TracedTransition traced(trace_, entity, kStopEvent);
  const std::size_t before = failures.size();
  entity.started = false;
  stop_codelets(entity, now, failures);
  if (failures.size() > before) {
    traced.fail(failures[before]);
  }
}

void Instance::stop_codelets(const LiveEntity& entity, std::int64_t now,
                             std::vector<Failure>& failures) {
  for (Codelet* codelet : entity.codelets) {
    if (gone_[codelet->component_id()]) {
      continue;
    }
    EngineAccess::begin_transition(*codelet, now);
    try {
      guarded(site(*codelet, "stop"), [&] { codelet->stop(); });
    } catch (const ComponentFailure& failure) {
      failures.push_back(failure.failure());
    }
  }
}

}  // namespace gxr
