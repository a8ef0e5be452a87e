#include <algorithm>
#include <string>
#include <vector>

#include "graph/passes/passes.hpp"
#include "graph/text.hpp"
#include "graph/tick_analysis.hpp"

namespace gxr::passes {
namespace {

/// Entities that cannot tick because all that could send to them cannot tick, by the entity that is
/// the reason.
class Consequences {
 public:
  Consequences(const Graph& graph, const TickAnalysis& analysis)
      : analysis_(analysis), root_(graph.entities.size(), kNone), live_(analysis.waits().size()) {
    for (std::size_t i = 0; i < live_.size(); ++i) {
      live_[i] = analysis.waits()[i].sources.size();
    }
    for (const GraphEntity& entity : graph.entities) {
      if (analysis.obstacles().contains(entity.id)) {
        root_[entity.id] = entity.id;
        pending_.push_back(entity.id);
      }
    }
    while (!pending_.empty()) {
      const EntityId source = pending_.back();
      pending_.pop_back();
      spread(source);
    }
  }

  /// The entity whose obstacle keeps this one from ticking, or kNone.
  [[nodiscard]] EntityId root(EntityId entity) const { return root_[entity]; }

 private:
  void spread(EntityId source) {
    for (const std::uint32_t index : analysis_.waits_on(source)) {
      const EntityId entity = analysis_.waits()[index].entity;
      if (--live_[index] == 0 && root_[entity] == kNone) {
        root_[entity] = root_[source];
        pending_.push_back(entity);
      }
    }
  }

  const TickAnalysis& analysis_;
  std::vector<EntityId> root_;
  std::vector<std::size_t> live_;  // sources of each wait that may still send
  std::vector<EntityId> pending_;
};

std::string consequence_text(std::size_t count) {
  return count == 1 ? "; so an entity behind it can never tick either"
                    : "; so " + std::to_string(count) + " entities behind it can never tick either";
}

void report(const Graph& graph, const GraphEntity& entity, const TickObstacle& obstacle,
            const std::vector<EntityId>& behind, Diagnostics& diagnostics) {
  const GraphComponent& term = graph.components[obstacle.term];
  const ParameterAssignment* assignment = term.find(obstacle.key);
  std::string text = called(entity) + " can never tick: " + obstacle.text;
  text += behind.empty() ? "" : consequence_text(behind.size());
  // A handle that the short form made has no text of its own.
  const bool written = assignment != nullptr &&
                       (term.written == 0 || assignment->value->location() != term.type_location);
  Diagnostic& diagnostic = written
                               ? diagnostics.add(DiagnosticCode::NeverTicks, *assignment->value,
                                                 std::move(text), obstacle.hint)
                               : diagnostics.add(DiagnosticCode::NeverTicks, term.type_location,
                                                 type_length(term), std::move(text), obstacle.hint);
  for (std::size_t i = 0; i < behind.size() && i < 3; ++i) {
    const GraphEntity& other = graph.entities[behind[i]];
    diagnostic.related.push_back({other.where, "'" + other.name + "' waits for its messages"});
  }
}

}  // namespace

void never_ticks(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  const TickAnalysis analysis(graph, catalog);
  if (analysis.obstacles().empty()) {
    return;
  }
  const Consequences consequences(graph, analysis);
  std::unordered_map<EntityId, std::vector<EntityId>> behind;
  for (const GraphEntity& entity : graph.entities) {
    const EntityId root = consequences.root(entity.id);
    if (root != kNone && root != entity.id) {
      behind[root].push_back(entity.id);
    }
  }
  for (const GraphEntity& entity : graph.entities) {
    const auto obstacle = analysis.obstacles().find(entity.id);
    if (obstacle != analysis.obstacles().end()) {
      report(graph, entity, obstacle->second, behind[entity.id], diagnostics);
    }
  }
}

}  // namespace gxr::passes
