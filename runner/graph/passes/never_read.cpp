#include <algorithm>
#include <string>
#include <vector>

#include "graph/message_flow.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

/// Names a handle in it no component? That was reported already.
bool has_broken_handle(const ParameterAssignment& assignment) {
  using Kind = ParameterType::Kind;
  if (assignment.info == nullptr) {
    return false;
  }
  const ParameterType& type = assignment.info->type;
  const bool is_list = type.kind == Kind::List && type.of.front().kind == Kind::Handle;
  return (type.kind == Kind::Handle && assignment.handles.empty()) ||
         (is_list && assignment.value->size() != assignment.handles.size());
}

/// Who holds which receiver, and of which entities that can be said for sure.
class Readers {
 public:
  Readers(const Graph& graph, const TypeCatalog& catalog, bool compat_gxf)
      : graph_(graph),
        catalog_(catalog),
        roles_(catalog),
        compat_gxf_(compat_gxf),
        unsure_(graph.entities.size()),
        read_(graph.components.size()),
        counted_(graph.components.size()) {
    for (const GraphComponent& component : graph.components) {
      look_at(component);
    }
  }

  /// A term of the receiver's own entity waits for its messages, no codelet takes them, and nothing
  /// else ends the entity or makes it wait.
  [[nodiscard]] bool is_never_read(const GraphComponent& component) {
    return roles_.has(component, Role::Receiver) && counted_[component.id] &&
           !read_[component.id] && !unsure_[component.entity];
  }

 private:
  void look_at(const GraphComponent& component) {
    if (component.type == nullptr) {
      unsure_[component.entity] = true;
      return;
    }
    if (roles_.has(component, Role::Connection) || roles_.has(component, Role::Topic)) {
      return;
    }
    if (roles_.has(component, Role::SchedulingTerm)) {
      look_at_term(component);
      return;
    }
    if (roles_.has(component, Role::Codelet) && takes_by_other_means(component)) {
      unsure_[component.entity] = true;
    }
    for_each_target(component, [this](const GraphComponent& held) { read_[held.id] = true; });
  }

  /// A term that is about no queue may end the entity, or let it tick seldom.
  void look_at_term(const GraphComponent& term) {
    bool about_queues = false;
    for_each_target(term, [&](const GraphComponent& held) {
      const bool is_receiver = roles_.has(held, Role::Receiver);
      about_queues = about_queues || is_receiver || roles_.has(held, Role::Transmitter);
      counted_[held.id] = counted_[held.id] || (is_receiver && held.entity == term.entity);
    });
    unsure_[term.entity] = unsure_[term.entity] || !about_queues;
  }

  /// May it take messages of receivers that its parameters do not name? One that has no parameter
  /// for queues at all may look for them.
  [[nodiscard]] bool takes_by_other_means(const GraphComponent& codelet) const {
    const Capability* const all = codelet.capability(Capability::Kind::TakesAllMessages);
    if (all == nullptr) {
      return std::ranges::none_of(codelet.type->parameters, [&](const ParameterInfo& parameter) {
        return is_for_queues(parameter.type);
      });
    }
    const ParameterAssignment* const listed = codelet.find(all->key(0));
    return compat_gxf_ || listed == nullptr || listed->handles.empty();
  }

  [[nodiscard]] bool is_for_queues(const ParameterType& type) const {
    if (type.kind == ParameterType::Kind::List) {
      return is_for_queues(type.of.front());
    }
    const TypeInfo* const named =
        type.kind == ParameterType::Kind::Handle ? catalog_.find(type.name) : nullptr;
    return named != nullptr &&
           (catalog_.is_a(*named, "gxr::Receiver") || catalog_.is_a(*named, "gxr::Transmitter"));
  }

  template <class F>
  void for_each_target(const GraphComponent& holder, F&& use) {
    for (const ParameterAssignment& assignment : holder.parameters) {
      unsure_[holder.entity] = unsure_[holder.entity] || has_broken_handle(assignment);
      for (const HandleReference& handle : assignment.handles) {
        if (handle.target != kNone) {
          use(graph_.components[handle.target]);
        } else {
          unsure_[holder.entity] = true;  // <Unspecified>: the component may well refuse that
        }
      }
    }
  }

  const Graph& graph_;
  const TypeCatalog& catalog_;
  Roles roles_;
  const bool compat_gxf_;
  std::vector<bool> unsure_;   // entities
  std::vector<bool> read_;     // components
  std::vector<bool> counted_;  // components
};

}  // namespace

void never_read(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  const MessageFlow flow(graph, catalog);
  Readers readers(graph, catalog, diagnostics.compat_gxf());
  for (const GraphComponent& component : graph.components) {
    if (readers.is_never_read(component) && flow.is_connected(component.id) &&
        flow.has_codelets(component.entity) && !flow.is_opaque(component.entity)) {
      diagnostics.add(
          DiagnosticCode::ReceiverNeverRead, component.where, where_length(component),
          "no codelet takes messages from " + called(graph, component) +
              ", but a scheduling term counts them, so its entity would tick without end",
          "name it in a parameter of the codelet that is to take them (in 'sources' of a "
          "Gather), or take it out of the term");
    }
  }
}

}  // namespace gxr::passes
