#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/message_bounds.hpp"
#include "graph/parameter_value.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

using Can = Capability::Kind;

/// "capacity: 2"
std::string setting(const char* key, std::uint64_t number) {
  return std::string(key) + ": " + std::to_string(number);
}

class PublishCheck {
 public:
  PublishCheck(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics)
      : graph_(graph), roles_(catalog), bounds_(graph, catalog), diagnostics_(diagnostics) {}

  void run() {
    for (const GraphComponent& component : graph_.components) {
      if (roles_.has(component, Role::Transmitter)) {
        look_at(component);
      }
    }
  }

 private:
  /// Queues that are too small for a tick, and the term that waits for too few.
  struct Limits {
    std::vector<const GraphComponent*> queues;
    const GraphComponent* term = nullptr;
    std::uint64_t waits_for = 0;
    bool has_term = false;
  };

  void look_at(const GraphComponent& transmitter) {
    if (bounds_.flow().is_open(transmitter.id) || !bounds_.is_own(transmitter.id) ||
        !bounds_.flow().is_connected(transmitter.id) || !bounds_.is_judged(transmitter.entity)) {
      return;
    }
    const std::uint64_t most = bounds_.of_one_tick(transmitter.id);
    if (most < 2) {
      return;
    }
    const Limits limits = limits_of(transmitter, most);
    if (limits.queues.empty() && limits.term == nullptr) {
      return;
    }
    Diagnostic& diagnostic = diagnostics_.add(
        DiagnosticCode::TooManyPublishes, transmitter.where, where_length(transmitter),
        text_of(transmitter, most, limits), remedy(transmitter, most, limits));
    for (const GraphComponent* queue : limits.queues) {
      if (queue->id != transmitter.id) {
        diagnostic.related.push_back({queue->where, called(graph_, *queue) + " is here"});
      }
    }
  }

  Limits limits_of(const GraphComponent& transmitter, std::uint64_t most) {
    Limits limits;
    if (can_be_full(transmitter, most)) {
      limits.queues.push_back(&transmitter);
    }
    bool some_fill = false;  // the capacity of others holds all that can ever come
    for (const ComponentId id : bounds_.flow().targets(transmitter.id)) {
      const GraphComponent& receiver = graph_.components[id];
      if (bounds_.flow().is_open(id)) {
        continue;
      }
      if (can_be_full(receiver, most)) {
        limits.queues.push_back(&receiver);
      }
      some_fill = some_fill || (can_be_full(receiver, MessageBounds::kEndless) &&
                                bounds_.arriving(id) > *capacity_of(receiver));
    }
    for (const auto& [term, says] : bounds_.terms(transmitter.entity)) {
      if (says != nullptr && says->kind == Can::WaitsForRoom &&
          term->handle(says->key(0)) == transmitter.id) {
        limits.has_term = true;
        limits.waits_for = unsigned_parameter(*term, says->key(1)).value_or(most);
        limits.term = some_fill && limits.waits_for < most ? term : nullptr;
      }
    }
    return limits;
  }

  /// Does it fail with so many messages at once?
  static bool can_be_full(const GraphComponent& queue, std::uint64_t messages) {
    const std::optional<std::uint64_t> capacity = capacity_of(queue);
    return capacity && *capacity < messages && fails_when_full(queue);
  }

  std::string text_of(const GraphComponent& transmitter, std::uint64_t most,
                      const Limits& limits) const {
    std::vector<std::string> parts;
    for (const GraphComponent* queue : limits.queues) {
      parts.push_back(called(graph_, *queue) + " holds " + std::to_string(*capacity_of(*queue)));
    }
    if (limits.term != nullptr) {
      parts.push_back("its term waits for room for " + std::to_string(limits.waits_for));
    }
    return "a tick of " + called(graph_.entity_of(transmitter)) + " can publish " +
           std::to_string(most) + " messages on " + called(graph_, transmitter) + ", but " +
           list_of(parts);
  }

  /// In the form in which the document is written.
  std::string remedy(const GraphComponent& transmitter, std::uint64_t most,
                     const Limits& limits) const {
    if (transmitter.written != 0) {
      return short_remedy(transmitter, most, limits);
    }
    std::vector<std::string> parts;
    for (const GraphComponent* queue : limits.queues) {
      parts.push_back(in_quotes(queue->capability(Can::PlainQueue)->key(0)) + " of " +
                      called(graph_, *queue));
    }
    if (limits.term != nullptr) {
      const Capability* const says = limits.term->capability(Can::WaitsForRoom);
      parts.push_back(in_quotes(says->key(1)) + " of the term");
    }
    const std::string number = std::to_string(most);
    return "raise " + list_of(parts) + " to " + number +
           (limits.has_term ? ""
                            : ", and add a gxr::DownstreamReceptiveSchedulingTerm with "
                              "'transmitter: " +
                                  transmitter.name + "' and 'min_size: " + number + "'");
  }

  std::string short_remedy(const GraphComponent& transmitter, std::uint64_t most,
                           const Limits& limits) const {
    std::string own;
    std::vector<std::string> parts;
    for (const GraphComponent* queue : limits.queues) {
      if (queue->id == transmitter.id) {
        own = setting("capacity", most);
      } else {
        parts.push_back(queue->written == 0
                            ? "'" + setting("capacity", most) + "' at " + called(graph_, *queue)
                            : "'ports: {" + queue->name + ": {" + setting("capacity", most) +
                                  "}}' in entity " + in_quotes(graph_.entity_of(*queue).name));
      }
    }
    if (limits.term != nullptr) {
      own += (own.empty() ? "" : ", ") + setting("min_size", most);
    }
    if (!own.empty()) {
      parts.insert(parts.begin(), "'ports: {" + transmitter.name + ": {" + own + "}}' here");
    }
    return "write " + list_of(parts);
  }

  const Graph& graph_;
  Roles roles_;
  MessageBounds bounds_;
  Diagnostics& diagnostics_;
};

}  // namespace

void too_many_publishes(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  PublishCheck(graph, catalog, diagnostics).run();
}

}  // namespace gxr::passes
