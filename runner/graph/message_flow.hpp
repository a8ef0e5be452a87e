#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "graph/roles.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Who can send to whom. Where the graph does not tell for sure (a mistake in a connection, a
/// component that may pass messages on by its own means, an entity with an error) a queue counts as
/// open, so that nothing is said of it that would only follow from the mistake.
class MessageFlow {
 public:
  MessageFlow(const Graph& graph, const TypeCatalog& catalog);

  /// Does the entity do work?
  [[nodiscard]] bool has_codelets(EntityId entity) const {
    return (entities_[entity] & kCodelets) != 0;
  }
  /// Nothing can be said of when it ticks: it has a component of unknown type, an error, or a
  /// combiner of terms.
  [[nodiscard]] bool is_opaque(EntityId entity) const { return (entities_[entity] & kOpaque) != 0; }
  /// Messages may come to or leave this queue by ways that the links do not show.
  [[nodiscard]] bool is_open(ComponentId queue) const { return (components_[queue] & kOpen) != 0; }
  /// Some component has a handle to it.
  [[nodiscard]] bool is_held(ComponentId component) const {
    return (components_[component] & kHeld) != 0;
  }
  /// A scheduling term has a handle to it.
  [[nodiscard]] bool is_waited_for(ComponentId queue) const {
    return (components_[queue] & kWaitedFor) != 0;
  }
  [[nodiscard]] bool is_connected(ComponentId queue) const {
    return (components_[queue] & kConnected) != 0;
  }

  /// Entities whose codelets may send to this receiver through links.
  [[nodiscard]] std::vector<EntityId> sources(ComponentId receiver) const;
  /// Receivers that links join to this transmitter.
  [[nodiscard]] std::vector<ComponentId> targets(ComponentId transmitter) const;

 private:
  enum EntityFlag : std::uint8_t { kCodelets = 1, kOpaque = 2 };
  enum ComponentFlag : std::uint8_t { kOpen = 1, kHeld = 2, kWaitedFor = 4, kConnected = 8 };
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  void add_links();
  void look_at(const GraphComponent& component);
  void look_at_handle(const GraphComponent& holder, ComponentId target);
  void open_broken_connection(const GraphComponent& connection);
  void open_end(const GraphComponent& connection, std::string_view key);
  void open_broken_topic(const GraphComponent& topic);
  void open_driven_by_program(const GraphComponent& executor);
  void open_all(const GraphEntity& entity);
  void lose_ends_of_loops();
  void open_lost_ends();
  void open_mentions(const GraphComponent& component, const Value& value);
  void open_mention(const GraphComponent& component, std::string_view text);
  void open_loose_names();

  const Graph& graph_;
  Roles roles_;
  std::vector<std::uint8_t> entities_;
  std::vector<std::uint8_t> components_;
  Pairs incoming_;  // receiver, transmitter
  Pairs outgoing_;  // transmitter, receiver
  Pairs borrowed_;  // transmitter, entity whose codelet holds it from outside
  std::unordered_set<std::string_view> loose_names_;
  bool lost_transmitter_ = false;  // some connection's source is not known
  bool lost_receiver_ = false;
};

}  // namespace gxr
