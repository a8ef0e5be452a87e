#pragma once

#include <cstdint>
#include <unordered_map>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// What a component's type is, as far as the engine treats it specially. Base types first, then
/// types whose parameters and behaviour the validation passes know.
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
  DoubleBufferReceiver = 1U << 10,
  DoubleBufferTransmitter = 1U << 11,
  MessageAvailable = 1U << 12,
  DownstreamReceptive = 1U << 13,
  Count = 1U << 14,
  Boolean = 1U << 15,
  Periodic = 1U << 16,
  GreedyScheduler = 1U << 17,
  MultiThreadScheduler = 1U << 18,
  EventBasedScheduler = 1U << 19,
  EpochScheduler = 1U << 20,
  Topic = 1U << 21,
  Resource = 1U << 22,
  OutsideQueue = 1U << 23,  ///< its other end is in another process
  Gather = 1U << 24,
  PubSubQueue = 1U << 25,  ///< connected by its `topic_name`
};

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
