#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The type of components that run other entities, as a CUDA graph.
inline constexpr std::string_view kGraphExecutor = "gxr::cuda::GraphExecutor";

/// What a component's type is by its base types, and which of gxr's schedulers. What else passes
/// have to know of a type, it declares: see GraphComponent::capability.
enum class Role : std::uint32_t {
  Codelet = 1U << 0,
  Receiver = 1U << 1,
  Transmitter = 1U << 2,
  SchedulingTerm = 1U << 3,
  TermCombiner = 1U << 4,
  Scheduler = 1U << 5,
  System = 1U << 6,
  Connection = 1U << 7,
  Router = 1U << 8,
  NetworkContext = 1U << 9,
  Topic = 1U << 10,
  Resource = 1U << 11,
  GreedyScheduler = 1U << 12,
  MultiThreadScheduler = 1U << 13,
  EventBasedScheduler = 1U << 14,
  EpochScheduler = 1U << 15,
  SimulatedClock = 1U << 16,  ///< its time passes by ticks
};

/// Can an entity with a codelet of this type be a part of a CUDA graph, as far as the type says?
[[nodiscard]] inline bool may_be_captured(const TypeInfo& codelet) noexcept {
  return codelet.capturable || codelet.find(Capability::Kind::PassesEachMessage) != nullptr;
}

/// Roles of components, computed once for each type. Holds references to graph and catalog.
class Roles {
 public:
  explicit Roles(const TypeCatalog& catalog) : catalog_(catalog) {}

  [[nodiscard]] bool has(const GraphComponent& component, Role role) {
    return component.type != nullptr &&
           (of(*component.type) & static_cast<std::uint32_t>(role)) != 0;
  }

 private:
  std::uint32_t of(const TypeInfo& type);

  const TypeCatalog& catalog_;
  const TypeInfo* last_type_ = nullptr;
  std::uint32_t last_roles_ = 0;
  std::unordered_map<const TypeInfo*, std::uint32_t> roles_;
};

}  // namespace gxr
