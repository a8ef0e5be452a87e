#include "executors/live_changes.hpp"

#include <algorithm>
#include <utility>

#include "document/document.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"
#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "plan/region_changes.hpp"
#include "plan/switched_off.hpp"

namespace gxr {

namespace {

/// What `check` throws of a change from a file begins with the place there.
template <class Check>
auto at_its_place(const CheckedChange& change, const Document& document, const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    throw Error(error.code(), place_in_file(change.assignment.key_location, document.sources()) +
                                  error.message());
  }
}

/// Do the kernels of an operator read its parameters, as far as is known, from device memory?
bool reads_parameters(const GraphRegion& region, EntityId entity) {
  const auto step = std::ranges::find(region.steps, entity, &GraphStep::entity);
  return step != region.steps.end() && !step->parameters.empty();
}

}  // namespace

LiveChanges::LiveChanges(const Plan& plan, const TypeCatalog& catalog)
    : plan_(plan),
      catalog_(catalog),
      regions_(graph_regions_of_entities(plan)),
      graph_(std::shared_ptr<void>(), plan.graph) {}

void LiveChanges::begin(Instance& instance, std::function<void(EntityId)> tell) {
  {
    const std::lock_guard lock(mutex_);
    instance_ = &instance;
    tell_ = std::move(tell);
    stage_ = Stage::Runs;
  }
  changed_.notify_all();
}

void LiveChanges::end() {
  {
    const std::lock_guard lock(mutex_);
    stage_ = Stage::Ended;
  }
  changed_.notify_all();
}

std::unique_lock<std::mutex> LiveChanges::wait_for_instance() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stage_ != Stage::Begins; });
  if (stage_ == Stage::Ended) {
    throw Error(ErrorCode::InvalidState, "the application has ended");
  }
  return lock;
}

void LiveChanges::set(const std::vector<std::string>& assignments) {
  Document document;
  Diagnostics diagnostics;
  for (const std::string& assignment : assignments) {
    document.add_override(assignment, diagnostics);
  }
  set(document, diagnostics);
}

void LiveChanges::set(Document& document, Diagnostics& diagnostics) {
  const std::vector<CheckedChange> changes =
      check_changes(document, diagnostics, *graph(), catalog_);
  for (const CheckedChange& change : changes) {
    at_its_place(change, document, [&] { require_changeable(change); });
  }
  const std::unique_lock lock = wait_for_instance();
  std::vector<PendingChanges::Value> values;
  for (const CheckedChange& change : changes) {
    values.push_back(at_its_place(
        change, document, [&] { return instance_->read(change.component, change.assignment); }));
  }
  keep_values(changes);
  for (const EntityId entity : instance_->changes().add(std::move(values))) {
    tell_(leader_of(entity));
  }
}

void LiveChanges::enable(const std::string& entity, bool on) {
  const Graph& graph = *plan_.graph;
  const GraphEntity* const found = graph.find_entity(entity);
  if (found == nullptr) {
    const std::string hint = Suggester(graph, catalog_).entity(entity);
    throw Error(ErrorCode::NotFound, "there is no entity " + in_quotes(entity) +
                                         (hint.empty() ? "" : " (" + hint + ")"));
  }
  const Region* const region = region_of(found->id);
  if (region == nullptr) {
    throw Error(ErrorCode::NotSupported,
                called(*found) +
                    (plan_.graphs_left_out.empty()
                         ? " is in no CUDA graph: only operators of one can be switched off and on"
                         : " cannot be switched off or on while the operators of the graphs run "
                           "without them, to be verified"));
  }
  const std::vector<GraphStep>& steps = region->graph->steps;
  const auto step = std::ranges::find(steps, found->id, &GraphStep::entity);
  if (step == steps.end()) {
    throw Error(ErrorCode::NotSupported, called(*found) +
                                             " only passes messages on; there is nothing of it in "
                                             "the graph that could be switched off");
  }
  if (const char* const why = why_fixed(*region); why != nullptr) {
    throw Error(ErrorCode::NotSupported, called(*found) +
                                             " cannot be switched off or on while the application "
                                             "runs: " +
                                             why);
  }
  if (!on && region->graph->laid_out) {
    require_may_be_off(graph, *region->graph, static_cast<StepId>(step - steps.begin()));
  }
  const std::unique_lock lock = wait_for_instance();
  if (instance_->changes().enable(found->id, on)) {
    tell_(leader_of(found->id));
  }
}

bool LiveChanges::has_ended() {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::Ended;
}

bool LiveChanges::awaits_components() {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::Begins;
}

/// Call with mutex_ held.
void LiveChanges::keep_values(const std::vector<CheckedChange>& changes) {
  for (const CheckedChange& change : changes) {
    values_[{change.component, std::string(change.assignment.key)}] = {
        change.assignment.value->to_yaml(), ++changes_};
  }
}

std::optional<std::string> LiveChanges::last_value(ComponentId component, std::string_view key) {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(std::pair(component, std::string(key)));
  return found != values_.end() ? std::optional(found->second.yaml) : std::nullopt;
}

std::shared_ptr<const Graph> LiveChanges::graph() {
  const std::lock_guard lock(mutex_);
  return graph_;
}

LiveChanges::SetValues LiveChanges::set_values(ComponentId component) {
  const std::lock_guard lock(mutex_);
  SetValues set{{}, changes_};
  for (const auto& [address, value] : values_) {
    if (address.first == component) {
      set.values.emplace(address.second, value.yaml);
    }
  }
  return set;
}

LiveChanges::Exchanged LiveChanges::exchanged(SpareCodelet& spare,
                                              std::shared_ptr<const Graph> graph,
                                              std::uint64_t seen) {
  const std::lock_guard lock(mutex_);
  Exchanged before{std::exchange(graph_, std::move(graph)), changes_};
  instance_->exchange_dynamic(spare);
  set_again(graph_->components[spare.component->component_id()], seen);
  return before;
}

/// What the new codelet cannot have any more stays as it was made. Call with mutex_ held.
void LiveChanges::set_again(const GraphComponent& component, std::uint64_t seen) {
  Document document;
  std::vector<PendingChanges::Value> values;
  for (const auto& [address, value] : values_) {
    const auto info =
        std::ranges::find(component.type->parameters, address.second, &ParameterInfo::key);
    if (address.first != component.id || value.change <= seen ||
        info == component.type->parameters.end()) {
      continue;
    }
    ParameterAssignment assignment;
    assignment.key = address.second;
    assignment.info = &*info;
    assignment.value = &document.make_value(value.yaml);
    try {
      values.push_back(instance_->read(component.id, assignment));
    } catch (const Error& error) {
      Log::write(LogLevel::Warn, "the new codelet does not take what was set while it was made: " +
                                     error.message());
    }
  }
  for (const EntityId entity : instance_->changes().add(std::move(values))) {
    tell_(leader_of(entity));
  }
}

/// Throws Error when the parameter cannot be changed any more.
void LiveChanges::require_changeable(const CheckedChange& change) const {
  const std::string why = why_not_changeable(change.component, change.assignment.info);
  if (why.empty()) {
    return;
  }
  const bool is_fixed = change.assignment.info == nullptr || !change.assignment.info->dynamic;
  throw Error(is_fixed ? ErrorCode::InvalidState : ErrorCode::NotSupported,
              "parameter " + in_quotes(change.assignment.key) + " of " +
                  called(*plan_.graph, plan_.graph->components[change.component]) +
                  " cannot be changed while the application runs: " + why);
}

std::string LiveChanges::why_not_changeable(ComponentId component,
                                            const ParameterInfo* info) const {
  if (info == nullptr || !info->dynamic) {
    return "it is not dynamic; set it before the run, with -p";
  }
  const GraphEntity& entity = plan_.graph->entity_of(plan_.graph->components[component]);
  const Region* const region = region_of(entity.id);
  const bool is_captured_again = region != nullptr && !reads_parameters(*region->graph, entity.id);
  if (const char* const why = is_captured_again ? why_fixed(*region) : nullptr; why != nullptr) {
    return why;
  }
  const bool ticks = std::ranges::any_of(entity.components, [&](ComponentId id) {
    return catalog_.is_a(*plan_.graph->components[id].type, type_name<Codelet>());
  });
  return ticks ? "" : "its entity has no codelet, between whose ticks that could be done";
}

EntityId LiveChanges::leader_of(EntityId entity) const {
  const Region* const region = region_of(entity);
  return region != nullptr && region->graph ? region->graph->steps.front().entity : entity;
}

const Region* LiveChanges::region_of(EntityId entity) const {
  const std::size_t region = regions_[entity];
  return region == kNoRegion ? nullptr : &plan_.regions[region];
}

}  // namespace gxr
