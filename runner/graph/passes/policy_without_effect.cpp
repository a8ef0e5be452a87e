#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/message_bounds.hpp"
#include "graph/parameter_value.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

using Can = Capability::Kind;

/// The value that lets a plain queue lose messages, where a document or an override says it by one
/// of gxr's names; else nullptr.
const ParameterAssignment* dropping_policy(const GraphComponent& queue) {
  const Capability* const plain = queue.capability(Can::PlainQueue);
  const ParameterAssignment* const policy = plain == nullptr ? nullptr : queue.find(plain->key(1));
  const bool drops = policy != nullptr && !queue.type_name.starts_with("nvidia::") &&
                     unsigned_parameter(queue, policy->key) && !fails_when_full(queue);
  return drops ? policy : nullptr;
}

/// Finds receivers that are to lose messages when they are full, and never are.
class PolicyCheck {
 public:
  PolicyCheck(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics)
      : graph_(graph), roles_(catalog), bounds_(graph, catalog), diagnostics_(diagnostics) {
    one_thread_ = std::ranges::any_of(graph.components, [&](const GraphComponent& component) {
      return roles_.has(component, Role::GreedyScheduler);
    });
  }

  void run() {
    for (const GraphComponent& component : graph_.components) {
      if (roles_.has(component, Role::Receiver)) {
        look_at(component);
      }
    }
  }

 private:
  void look_at(const GraphComponent& receiver) {
    const ParameterAssignment* const policy = dropping_policy(receiver);
    if (policy == nullptr || bounds_.flow().is_open(receiver.id) ||
        !bounds_.is_judged(receiver.entity)) {
      return;
    }
    std::vector<const GraphComponent*> terms;
    for (const ComponentId transmitter : bounds_.transmitters(receiver.id)) {
      const GraphComponent* const term = room_term(graph_.components[transmitter]);
      if (term == nullptr) {
        return;
      }
      terms.push_back(term);
    }
    // Two threads may see the same room.
    if (!terms.empty() && (one_thread_ || bounds_.flow().sources(receiver.id).size() == 1)) {
      report(receiver, *policy, terms);
    }
  }

  /// The term that lets the entity tick only when all that it can publish there has room, or
  /// nullptr.
  const GraphComponent* room_term(const GraphComponent& transmitter) {
    const ComponentId id = transmitter.id;
    if (bounds_.flow().is_open(id) || !bounds_.is_own(id) ||
        !bounds_.is_judged(transmitter.entity)) {
      return nullptr;
    }
    const std::uint64_t most = bounds_.of_one_tick(id);
    for (const auto& [term, says] : bounds_.terms(transmitter.entity)) {
      if (says != nullptr && says->kind == Can::WaitsForRoom && term->handle(says->key(0)) == id &&
          unsigned_parameter(*term, says->key(1)).value_or(0) >= most) {
        return term;
      }
    }
    return nullptr;
  }

  void report(const GraphComponent& receiver, const ParameterAssignment& policy,
              const std::vector<const GraphComponent*>& terms) {
    constexpr std::size_t kMostNames = 3;
    std::vector<std::string> names;
    std::vector<std::string> places;
    for (const GraphComponent* term : terms) {
      const GraphEntity& sender = graph_.entity_of(*term);
      const std::string name = sender.named ? in_quotes(sender.name) : "its sender";
      if (std::ranges::find(names, name) == names.end() && names.size() < kMostNames) {
        names.push_back(name);
        places.push_back(place_of(*term));
      }
    }
    diagnostics_.add(
        DiagnosticCode::PolicyWithoutEffect, *policy.value,
        called(graph_, receiver) + " never drops a message: " + list_of(names) +
            (names.size() == 1 ? " waits" : " wait") + " until it has room",
        "write " + list_of(places) + ", or leave out " + in_quotes(policy.key) + " here");
  }

  /// What to write so that the entity does not wait, in the form of its document.
  [[nodiscard]] std::string place_of(const GraphComponent& term) const {
    const Capability& says = *term.capability(Can::WaitsForRoom);
    const std::string setting = std::string(says.key(1)) + ": 0";
    const GraphEntity& sender = graph_.entity_of(term);
    const GraphComponent& transmitter = graph_.components[term.handle(says.key(0))];
    if (term.written == 0) {
      return "'" + setting + "' in the " + std::string(term.type->name) + " of " +
             called(graph_, transmitter);
    }
    const std::string name = sender.name.substr(graph_.scopes[sender.scope].prefix.size());
    return "'ports: {" + transmitter.name + ": {" + setting + "}}' in " +
           (sender.named ? "entity " + in_quotes(name) : "the document of its sender");
  }

  const Graph& graph_;
  Roles roles_;
  MessageBounds bounds_;
  Diagnostics& diagnostics_;
  bool one_thread_ = false;
};

}  // namespace

void policy_without_effect(const Graph& graph, const TypeCatalog& catalog,
                           Diagnostics& diagnostics) {
  // Few applications have one, and looking for senders takes longer.
  if (!diagnostics.compat_gxf() && std::ranges::any_of(graph.components, dropping_policy)) {
    PolicyCheck(graph, catalog, diagnostics).run();
  }
}

}  // namespace gxr::passes
