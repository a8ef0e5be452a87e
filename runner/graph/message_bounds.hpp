#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"
#include "graph/message_flow.hpp"
#include "graph/roles.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// How many messages can come where, as far as the numbers in the files tell: counts and periods of
/// terms, capacities, and what codelets declare to publish in one tick.
class MessageBounds {
 public:
  /// Without end, or not known.
  static constexpr std::uint64_t kEndless = UINT64_MAX;

  MessageBounds(const Graph& graph, const TypeCatalog& catalog);

  [[nodiscard]] const MessageFlow& flow() const noexcept { return flow_; }
  /// Nothing but its own terms and connections decides when the entity ticks: it is no part of a
  /// CUDA graph, and has no error.
  [[nodiscard]] bool is_judged(EntityId entity) const {
    return flow_.has_codelets(entity) && !flow_.is_opaque(entity) &&
           !(graphs_ && (entities_[entity] & kCapturable) != 0);
  }
  /// It is_judged(), and what all its terms say is known.
  [[nodiscard]] bool is_steady(EntityId entity) const {
    return is_judged(entity) && (entities_[entity] & kOtherTerm) == 0;
  }
  /// The transmitters that links join to it, each once.
  [[nodiscard]] const std::vector<ComponentId>& transmitters(ComponentId receiver) const {
    return sources_[receiver];
  }
  /// Only codelets of its own entity publish there.
  [[nodiscard]] bool is_own(ComponentId transmitter) const { return !shared_[transmitter]; }
  /// Most messages of one tick of its entity.
  [[nodiscard]] std::uint64_t of_one_tick(ComponentId transmitter);
  /// Most messages of a run, of all transmitters that links join to it.
  [[nodiscard]] std::uint64_t arriving(ComponentId receiver);
  [[nodiscard]] std::uint64_t ticks(EntityId entity);
  /// Least time between two ticks; 0: none that is known.
  [[nodiscard]] std::int64_t period(EntityId entity);
  /// Its terms of that kind, with what they declare.
  struct Term {
    const GraphComponent* component;
    const Capability* says;  ///< nullptr: nothing that gxr knows
  };
  [[nodiscard]] const std::vector<Term>& terms(EntityId entity) const { return terms_[entity]; }
  /// Does the entity need a message of `other` for each of its ticks?
  [[nodiscard]] bool follows(EntityId entity, EntityId other);
  /// Does a codelet of the entity take all messages that are there, in one tick?
  [[nodiscard]] bool takes_all(EntityId entity) const {
    return (entities_[entity] & kTakesAll) != 0;
  }

 private:
  enum EntityFlag : std::uint8_t { kCapturable = 1, kOtherTerm = 2, kTakesAll = 4 };
  /// A parameter of a codelet that names a component of its own entity.
  struct Holder {
    ComponentId target;
    const GraphComponent* codelet;
    std::string_view key;
  };

  void look_at(const GraphComponent& component);
  void look_at_handles(const GraphComponent& codelet);
  std::uint64_t sent(ComponentId transmitter);
  bool follows(EntityId entity, EntityId other, std::unordered_map<EntityId, bool>& known);
  std::uint64_t of_codelet(const GraphComponent& codelet, std::string_view key);
  std::uint64_t taken_from(const GraphComponent& codelet, const Capability& publishes);
  std::uint64_t compute_ticks(EntityId entity);
  std::int64_t compute_period(EntityId entity);

  const Graph& graph_;
  Roles roles_;
  MessageFlow flow_;
  bool graphs_ = false;  // some entities run as CUDA graphs
  std::vector<std::uint8_t> entities_;
  std::vector<Holder> holders_;  // by target
  std::vector<bool> shared_;     // of components: codelets of other entities hold it
  std::vector<std::vector<Term>> terms_;
  std::vector<std::vector<ComponentId>> sources_;  // of receivers: transmitters
  std::unordered_map<ComponentId, std::uint64_t> of_one_tick_;
  std::unordered_map<EntityId, std::uint64_t> ticks_;
  std::unordered_map<EntityId, std::int64_t> periods_;
  std::uint32_t depth_ = 0;
};

}  // namespace gxr
