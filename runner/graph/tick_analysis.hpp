#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"
#include "graph/message_flow.hpp"
#include "graph/roles.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Why an entity can never tick: what one of its own terms asks for.
struct TickObstacle {
  ComponentId term = kNone;
  std::string_view key;  ///< the parameter that says so
  std::string text;
  std::string hint;
};

/// An entity waits for a message on a receiver.
struct MessageWait {
  EntityId entity = kNone;
  ComponentId term = kNone;
  ComponentId receiver = kNone;
  std::vector<EntityId> sources;  ///< entities that may send it
};

/// Which entities can never tick because of their own terms, and which wait for which. Says nothing
/// of entities for which the graph does not tell for sure.
class TickAnalysis {
 public:
  TickAnalysis(const Graph& graph, const TypeCatalog& catalog);

  [[nodiscard]] const MessageFlow& flow() const noexcept { return flow_; }
  /// The first obstacle of each entity that has one.
  [[nodiscard]] const std::unordered_map<EntityId, TickObstacle>& obstacles() const noexcept {
    return obstacles_;
  }
  /// Waits that only the listed sources can end.
  [[nodiscard]] const std::vector<MessageWait>& waits() const noexcept { return waits_; }
  /// Indices of waits() that messages of `source` can end.
  [[nodiscard]] const std::vector<std::uint32_t>& waits_on(EntityId source) const;

 private:
  void look_at(const GraphComponent& term);
  void look_at_limit(const GraphComponent& term, std::string_view key);
  void look_at_switch(const GraphComponent& term, std::string_view key);
  void look_at_messages(const GraphComponent& term, const Capability& waits);
  void look_at_room(const GraphComponent& term, const Capability& waits);
  void add_wait(const GraphComponent& term, std::string_view key, const GraphComponent& receiver);
  static std::string advice(const GraphComponent& queue, const char* which,
                            const Capability& waits);
  void add_obstacle(const GraphComponent& term, std::string_view key, std::string text,
                    std::string hint);

  const Graph& graph_;
  Roles roles_;
  MessageFlow flow_;
  std::unordered_map<EntityId, TickObstacle> obstacles_;
  std::vector<MessageWait> waits_;
  std::unordered_map<EntityId, std::vector<std::uint32_t>> waits_on_;
};

}  // namespace gxr
