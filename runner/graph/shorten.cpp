#include "graph/shorten.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "graph/roles.hpp"
#include "graph/short_form.hpp"
#include "registry/short_ports.hpp"

namespace gxr {
namespace {

using Direction = PortInfo::Direction;

bool is_type(const GraphComponent& component, std::string_view name) {
  return component.type != nullptr && component.type->name == name;
}

bool only_has(const GraphComponent& component, const std::vector<std::string_view>& keys) {
  return std::ranges::all_of(component.parameters, [&](const ParameterAssignment& assignment) {
    return std::ranges::find(keys, assignment.key) != keys.end();
  });
}

/// Finds what of an application has a short form.
class Shortener {
 public:
  Shortener(const Graph& graph, const TypeCatalog& catalog, const std::vector<bool>& without)
      : graph_(graph), catalog_(catalog), roles_(catalog), without_(without) {
    find_references();
    find_made_entities();
  }

  ShortTexts take() {
    for (const GraphEntity& entity : graph_.entities) {
      if (!without_[entity.id]) {
        find_form(entity);
      }
    }
    while (drop_with_connections()) {
    }
    add_inputs();
    leave_out_made_entities();
    return std::move(texts_);
  }

 private:
  /// What is known of an entity that may have a short form.
  struct Form {
    ShortPorts ports;
    std::vector<ComponentId> queues;  // that the short form makes
    bool uses_pool = false;
  };

  // Which components does a handle of another component name?
  void find_references() {
    referenced_.resize(graph_.components.size());
    for (const GraphComponent& component : graph_.components) {
      const bool connection = is_type(component, "gxr::Connection");
      for (const ParameterAssignment& assignment : component.parameters) {
        for (const HandleReference& handle : assignment.handles) {
          if (handle.target != kNone && !connection) {
            referenced_[handle.target].push_back(component.id);
          }
        }
      }
    }
    queues_.resize(graph_.components.size());
    made_.resize(graph_.components.size());
    connected_.resize(graph_.components.size());
    for (const Link& link : graph_.links) {
      connected_[link.transmitter] = connected_[link.receiver] = true;
    }
  }

  [[nodiscard]] bool is_made(std::string_view name,
                             const std::vector<std::string_view>& types) const {
    const GraphEntity* const entity = graph_.find_entity(name);
    if (entity == nullptr || entity->components.size() != types.size()) {
      return false;
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
      const GraphComponent& component = graph_.components[entity->components[i]];
      if (!is_type(component, types[i]) || !only_has(component, {"clock"})) {
        return false;
      }
    }
    return true;
  }

  void find_made_entities() {
    if (is_made("gxr.memory", {"gxr::UnboundedAllocator"})) {
      memory_ = graph_.find_entity("gxr.memory");
    }
    std::size_t schedulers = 0;
    for (const GraphComponent& component : graph_.components) {
      schedulers += roles_.has(component, Role::Scheduler) ? 1U : 0U;
    }
    if (schedulers == 1 &&
        is_made(kShortScheduler, {"gxr::RealtimeClock", "gxr::GreedyScheduler"})) {
      scheduler_ = graph_.find_entity(kShortScheduler);
    }
  }

  // --- one entity --------------------------------------------------------------------------------

  void find_form(const GraphEntity& entity) {
    const GraphComponent* codelet = nullptr;
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (component.type == nullptr) {
        return;
      }
      if (roles_.has(component, Role::Codelet)) {
        if (codelet != nullptr) {
          return;
        }
        codelet = &component;
      }
    }
    if (codelet == nullptr || (!referenced_[codelet->id].empty() && codelet->name != "operator")) {
      return;
    }
    ShortText text;
    text.codelet = codelet;
    Form form;
    form.ports = short_ports(*codelet->type, catalog_);
    if (find_queues(entity, form, text) && find_terms(entity, form, text) &&
        find_handles(form, text)) {
      texts_.entities.emplace(entity.id, std::move(text));
      forms_.emplace(entity.id, std::move(form));
    }
  }

  /// A queue that the short form would make for this parameter, or kNone.
  [[nodiscard]] ComponentId plain_queue(const GraphComponent& codelet,
                                        const ShortPort& port) const {
    const ComponentId id = codelet.handle(port.key);
    return id != kNone && graph_.components[id].entity == codelet.entity &&
                   graph_.components[id].name == port.key && is_plain(graph_.components[id])
               ? id
               : kNone;
  }

  static bool is_plain(const GraphComponent& queue) {
    return (is_type(queue, "gxr::DoubleBufferReceiver") ||
            is_type(queue, "gxr::DoubleBufferTransmitter")) &&
           only_has(queue, {"capacity", "policy"});
  }

  bool find_queues(const GraphEntity& entity, Form& form, ShortText& text) {
    for (const ShortPort& port : form.ports.ports) {
      if (const ComponentId id = plain_queue(*text.codelet, port); id != kNone) {
        add_queue(id, form);
        text.made.push_back(port.key);
      } else if (text.codelet->find(port.key) == nullptr && !port.optional) {
        return false;
      }
    }
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      const bool receiver = roles_.has(component, Role::Receiver);
      if ((!receiver && !roles_.has(component, Role::Transmitter)) || queues_[id]) {
        continue;
      }
      const bool free = receiver ? form.ports.open_inputs : form.ports.has_free_outputs();
      if (!free || !is_plain(component) || component.name.empty()) {
        return false;
      }
      add_queue(id, form);
    }
    for (const std::string_view key : {form.ports.receivers, form.ports.transmitters}) {
      if (!key.empty()) {
        text.made.push_back(key);
      }
    }
    return true;
  }

  void add_queue(ComponentId id, Form& form) {
    form.queues.push_back(id);
    queues_[id] = true;
  }

  bool find_terms(const GraphEntity& entity, Form& form, ShortText& text) {
    for (const ComponentId queue : form.queues) {
      if (!find_port(queue, form, text)) {
        return false;
      }
    }
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (id == text.codelet->id || queues_[id] || made_[id] ||
          is_type(component, "gxr::Connection")) {
        continue;
      }
      if (!roles_.has(component, Role::SchedulingTerm) &&
          !roles_.has(component, Role::TermCombiner)) {
        return false;
      }
      const bool free = referenced_[id].empty();
      if (free && text.count == nullptr && is_type(component, "gxr::CountSchedulingTerm") &&
          component.parameters.size() == 1 && component.find("count") != nullptr) {
        text.count = component.find("count");
      } else if (free && text.period == nullptr &&
                 is_type(component, "gxr::PeriodicSchedulingTerm") &&
                 component.parameters.size() == 1 && component.find("recess_period") != nullptr) {
        text.period = component.find("recess_period");
      } else if (!is_end(component, form, text)) {
        text.terms.push_back(id);
      }
    }
    return true;
  }

  /// The queue's own entry in `ports`, if it needs one, and its term.
  bool find_port(ComponentId queue, const Form& form, ShortText& text) {
    const GraphComponent& component = graph_.components[queue];
    const bool receiver = roles_.has(component, Role::Receiver);
    std::vector<ComponentId> terms;
    for (const ComponentId id : referenced_[queue]) {
      if (graph_.components[id].entity == component.entity &&
          roles_.has(graph_.components[id], Role::SchedulingTerm) &&
          (terms.empty() || terms.back() != id)) {
        terms.push_back(id);
      }
    }
    if (terms.empty()) {
      return false;
    }
    ShortText::Port port{component.name, {}};
    for (const ParameterAssignment& assignment : component.parameters) {
      port.settings.push_back(&assignment);
    }
    const GraphComponent& term = graph_.components[terms.front()];
    const bool usual = is_type(term, receiver ? "gxr::MessageAvailableSchedulingTerm"
                                              : "gxr::DownstreamReceptiveSchedulingTerm") &&
                       only_has(term, {receiver ? "receiver" : "transmitter", "min_size"});
    if (terms.size() == 1 && usual && referenced_[term.id].empty()) {
      made_[term.id] = true;
      if (const ParameterAssignment* const least = term.find("min_size")) {
        port.settings.push_back(least);
      }
    }
    const ShortPort* const declared = form.ports.find(component.name);
    const bool makes_itself = declared != nullptr
                                  ? !declared->optional || (connected_[queue] && !receiver)
                                  : receiver && connected_[queue];
    if (!port.settings.empty() || !makes_itself) {
      text.ports.push_back(std::move(port));
    }
    return true;
  }

  /// The term that is made for the codelet.
  bool is_end(const GraphComponent& component, const Form& form, ShortText& text) const {
    if (form.ports.end.empty() || text.codelet->handle(form.ports.end) != component.id ||
        !is_type(component, form.ports.end_type) || !component.parameters.empty() ||
        referenced_[component.id].size() != 1) {
      return false;
    }
    text.made.push_back(form.ports.end);
    return true;
  }

  bool find_handles(Form& form, ShortText& text) const {
    if (!form.ports.end.empty() && text.codelet->find(form.ports.end) == nullptr) {
      text.unspecified.push_back(form.ports.end);
    }
    for (const std::string_view key : form.ports.allocators) {
      const ComponentId id = text.codelet->handle(key);
      if (memory_ != nullptr && id != kNone && graph_.components[id].entity == memory_->id) {
        form.uses_pool = true;
        text.made.push_back(key);
      } else if (text.codelet->find(key) == nullptr) {
        return false;
      }
    }
    return true;
  }

  // --- connections -------------------------------------------------------------------------------

  /// Can `inputs` of the receiver's entity say it?
  [[nodiscard]] bool is_input(const GraphComponent& connection) const {
    if (!is_type(connection, "gxr::Connection") || !referenced_[connection.id].empty() ||
        !only_has(connection, {"source", "target"})) {
      return false;
    }
    const ComponentId source = connection.handle("source");
    const ComponentId target = connection.handle("target");
    if (source == kNone || target == kNone || graph_.components[source].name.empty() ||
        !graph_.entity_of(graph_.components[source]).named) {
      return false;
    }
    return queues_[target] && forms_.contains(graph_.components[target].entity);
  }

  /// An entity with a connection that stays is written as it is; true if there was one.
  bool drop_with_connections() {
    bool any = false;
    for (const GraphComponent& component : graph_.components) {
      if (is_type(component, "gxr::Connection") && forms_.contains(component.entity) &&
          !is_input(component)) {
        forms_.erase(component.entity);
        texts_.entities.erase(component.entity);
        any = true;
      }
    }
    return any;
  }

  void add_inputs() {
    texts_.connections.resize(graph_.components.size());
    std::vector<std::vector<std::string>> sources(graph_.components.size());  // by receiver
    for (const GraphComponent& connection : graph_.components) {
      if (is_input(connection)) {
        texts_.connections[connection.id] = true;
        sources[connection.handle("target")].push_back(
            name_of(graph_.components[connection.handle("source")]));
      }
    }
    for (auto& [entity, text] : texts_.entities) {
      for (const ComponentId queue : forms_.at(entity).queues) {
        if (!sources[queue].empty()) {
          text.inputs.emplace_back(graph_.components[queue].name, std::move(sources[queue]));
        }
      }
    }
  }

  /// The entity alone where it has only this output.
  std::string name_of(const GraphComponent& source) {
    const GraphEntity& entity = graph_.entity_of(source);
    const auto [entry, added] = outputs_.try_emplace(entity.id, 0);
    if (added) {
      entry->second = outputs_of(entity);
    }
    return entry->second == 1 ? entity.name : entity.name + "/" + source.name;
  }

  /// How many outputs can the entity's name stand for?
  [[nodiscard]] std::size_t outputs_of(const GraphEntity& entity) {
    if (const auto form = forms_.find(entity.id); form != forms_.end()) {
      const ShortPorts& ports = form->second.ports;
      return ports.has_free_outputs() ? 2 : ports.keys(Direction::Output).size();
    }
    return static_cast<std::size_t>(std::ranges::count_if(entity.components, [&](ComponentId id) {
      return roles_.has(graph_.components[id], Role::Transmitter);
    }));
  }

  void leave_out_made_entities() {
    texts_.left_out.resize(graph_.entities.size());
    if (memory_ != nullptr &&
        std::ranges::any_of(forms_, [](const auto& entry) { return entry.second.uses_pool; })) {
      texts_.left_out[memory_->id] = true;
    }
    if (scheduler_ != nullptr && !forms_.empty() && !keeps_from_graph()) {
      texts_.left_out[scheduler_->id] = true;
    }
  }

  /// Does a scheduler that a document has keep the application from being a CUDA graph by default?
  [[nodiscard]] bool keeps_from_graph() {
    return !graph_.makes_scheduler &&
           std::ranges::all_of(graph_.components, [&](const GraphComponent& component) {
             return component.type != nullptr &&
                    (!roles_.has(component, Role::Codelet) || may_be_captured(*component.type));
           });
  }

  const Graph& graph_;
  const TypeCatalog& catalog_;
  Roles roles_;
  const std::vector<bool>& without_;
  std::vector<std::vector<ComponentId>> referenced_;  // by component: who has a handle to it
  std::vector<bool> connected_;
  std::vector<bool> queues_;  // by component: a queue of a form
  std::vector<bool> made_;    // by component: the usual term of such a queue
  std::unordered_map<EntityId, std::size_t> outputs_;
  const GraphEntity* memory_ = nullptr;
  const GraphEntity* scheduler_ = nullptr;
  ShortTexts texts_;
  std::unordered_map<EntityId, Form> forms_;
};

/// What is compared of an application.
class Meaning {
 public:
  Meaning(const Graph& graph, const TypeCatalog& catalog) : graph_(graph), roles_(catalog) {
    std::size_t unnamed = 0;
    for (const GraphEntity& entity : graph.entities) {
      const bool named = entity.named && entity.name != kShortConnections;
      names_.push_back(named ? entity.name : std::string());
      if (!named && has_more_than_connections(entity)) {
        names_.back() = "#" + std::to_string(unnamed++);
      }
    }
    for (const GraphComponent& component : graph.components) {
      if (!is_type(component, "gxr::Connection")) {
        of_entities_[names_[component.entity]].insert(text_of(component));
      }
    }
    for (const Link& link : graph.links) {
      of_entities_[names_[graph.components[link.receiver].entity]].insert(
          name_of(link.transmitter) + (link.delayed ? " ~> " : " -> ") + name_of(link.receiver));
    }
    for (const GraphEntity& entity : graph.entities) {
      if (!names_[entity.id].empty()) {
        of_entities_[names_[entity.id]].insert("queues:" + queues_of(entity));
      }
    }
  }

  [[nodiscard]] const std::string& name(EntityId entity) const { return names_[entity]; }
  [[nodiscard]] std::multiset<std::string> of(const std::string& entity) const {
    const auto found = of_entities_.find(entity);
    return found == of_entities_.end() ? std::multiset<std::string>{} : found->second;
  }

 private:
  [[nodiscard]] bool has_more_than_connections(const GraphEntity& entity) const {
    return std::ranges::any_of(entity.components, [&](ComponentId id) {
      return !is_type(graph_.components[id], "gxr::Connection");
    });
  }

  /// The order of queues says how some codelets use them.
  std::string queues_of(const GraphEntity& entity) {
    std::string receivers;
    std::string transmitters;
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (roles_.has(component, Role::Receiver)) {
        receivers += " " + component.name;
      } else if (roles_.has(component, Role::Transmitter)) {
        transmitters += " " + component.name;
      }
    }
    return receivers + " ;" + transmitters;
  }

  /// Aliases are one type.
  static std::string type_of(const GraphComponent& component) {
    return component.type == nullptr ? std::string(component.type_name) : component.type->name;
  }

  /// Codelets and terms may have other names.
  std::string name_of(ComponentId id) {
    const GraphComponent& component = graph_.components[id];
    const bool nameless = roles_.has(component, Role::Codelet) ||
                          roles_.has(component, Role::SchedulingTerm) || component.name.empty();
    return names_[component.entity] + "/" + (nameless ? type_of(component) : component.name);
  }

  std::string text_of(const GraphComponent& component) {
    std::set<std::string> parameters;
    for (const ParameterAssignment& assignment : component.parameters) {
      std::string value;
      for (const HandleReference& handle : assignment.handles) {
        value += handle.target == kNone ? "" : " " + name_of(handle.target);
      }
      if (assignment.handles.empty()) {
        value = assignment.value->to_yaml();
      }
      if (!value.empty()) {
        parameters.insert(std::string(assignment.key) + "=" + value);
      }
    }
    std::string text(name_of(component.id).substr(names_[component.entity].size()));
    text += " " + type_of(component);
    for (const std::string& parameter : parameters) {
      text += "\n" + parameter;
    }
    return text;
  }

  const Graph& graph_;
  Roles roles_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::multiset<std::string>> of_entities_;
};

}  // namespace

ShortTexts shorten(const Graph& graph, const TypeCatalog& catalog,
                   const std::vector<bool>& without) {
  return Shortener(graph, catalog, without).take();
}

std::vector<EntityId> different_entities(const Graph& graph, const Graph& other,
                                         const TypeCatalog& catalog) {
  const Meaning first(graph, catalog);
  const Meaning second(other, catalog);
  std::vector<EntityId> different;
  for (const GraphEntity& entity : graph.entities) {
    if (first.of(first.name(entity.id)) != second.of(first.name(entity.id))) {
      different.push_back(entity.id);
    }
  }
  return different;
}

}  // namespace gxr
