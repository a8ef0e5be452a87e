#include "graph/message_bounds.hpp"

#include <algorithm>

#include "graph/parameter_value.hpp"

namespace gxr {
namespace {

using Can = Capability::Kind;

constexpr std::uint64_t kEndless = MessageBounds::kEndless;
/// Entities one behind the other that a question may go through. Of longer ways nothing is known.
constexpr std::uint32_t kMostDepth = 200;

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > kEndless - b ? kEndless : a + b; }

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kEndless / a ? kEndless : a * b;
}

/// What a term declares of the entity's ticks; nullptr: nothing.
const Capability* says_of_ticks(const GraphComponent& term) {
  for (const Capability& capability : term.type->capabilities) {
    if (capability.kind >= Can::WaitsForMessages && capability.kind <= Can::PacesTicks) {
      return &capability;
    }
  }
  return nullptr;
}

bool is_branch(const Capability& capability) { return capability.kind >= Can::BranchIf; }

/// May a CUDA graph have taken the place of what this codelet does?
bool may_be_captured(const GraphComponent& codelet) {
  return codelet.type->capturable || codelet.capability(Can::PassesEachMessage) != nullptr;
}

}  // namespace

MessageBounds::MessageBounds(const Graph& graph, const TypeCatalog& catalog)
    : graph_(graph),
      roles_(catalog),
      flow_(graph, catalog),
      entities_(graph.entities.size()),
      shared_(graph.components.size()),
      terms_(graph.entities.size()),
      sources_(graph.components.size()) {
  for (const Link& link : graph.links) {
    if (!link.duplicate) {
      sources_[link.receiver].push_back(link.transmitter);
    }
  }
  for (const GraphComponent& component : graph.components) {
    if (component.type != nullptr) {
      look_at(component);
    }
  }
  std::ranges::stable_sort(holders_, {}, &Holder::target);
}

void MessageBounds::look_at(const GraphComponent& component) {
  std::uint8_t& flags = entities_[component.entity];
  graphs_ = graphs_ || component.type->name == kGraphExecutor ||
            std::ranges::any_of(component.type->capabilities, is_branch);
  if (roles_.has(component, Role::SchedulingTerm)) {
    const Capability* const says = says_of_ticks(component);
    terms_[component.entity].push_back({&component, says});
    if (says == nullptr) {
      flags |= kOtherTerm;
    }
  }
  if (may_be_captured(component)) {
    flags |= kCapturable;
  }
  if (component.capability(Can::TakesAllMessages) != nullptr) {
    flags |= kTakesAll;
  }
  if (roles_.has(component, Role::Codelet)) {
    look_at_handles(component);
  }
}

void MessageBounds::look_at_handles(const GraphComponent& codelet) {
  for (const ParameterAssignment& assignment : codelet.parameters) {
    for (const HandleReference& handle : assignment.handles) {
      if (handle.target == kNone) {
        continue;
      }
      if (graph_.components[handle.target].entity == codelet.entity) {
        holders_.push_back({handle.target, &codelet, assignment.key});
      } else {
        shared_[handle.target] = true;
      }
    }
  }
}

std::uint64_t MessageBounds::of_one_tick(ComponentId transmitter) {
  if (const auto known = of_one_tick_.find(transmitter); known != of_one_tick_.end()) {
    return known->second;
  }
  if (depth_ == kMostDepth) {
    return kEndless;
  }
  of_one_tick_.emplace(transmitter, kEndless);  // for a cycle, which comes back here
  ++depth_;
  std::uint64_t sum = 0;
  auto holder = std::ranges::lower_bound(holders_, transmitter, {}, &Holder::target);
  for (; holder != holders_.end() && holder->target == transmitter; ++holder) {
    sum = add(sum, of_codelet(*holder->codelet, holder->key));
  }
  --depth_;
  // A codelet that names no transmitter sends on all.
  return of_one_tick_[transmitter] = std::max<std::uint64_t>(sum, 1);
}

std::uint64_t MessageBounds::of_codelet(const GraphComponent& codelet, std::string_view key) {
  for (const Capability& capability : codelet.type->capabilities) {
    if (capability.kind == Can::Publishes && capability.key(0) == key) {
      return unsigned_parameter(codelet, capability.key(1)).value_or(1);
    }
    if (capability.kind == Can::PublishesAllMessages && capability.key(0) == key) {
      return taken_from(codelet, capability);
    }
  }
  return 1;
}

/// Of each receiver what it holds, up to the limit.
std::uint64_t MessageBounds::taken_from(const GraphComponent& codelet,
                                        const Capability& publishes) {
  const Capability* const all = codelet.capability(Can::TakesAllMessages);
  const ParameterAssignment* const listed =
      all == nullptr || all->key(0).empty() ? nullptr : codelet.find(all->key(0));
  std::vector<ComponentId> receivers;
  if (listed != nullptr && !listed->handles.empty()) {
    for (const HandleReference& handle : listed->handles) {
      receivers.push_back(handle.target);
    }
  } else {
    receivers = graph_.entities[codelet.entity].components;
  }
  const std::uint64_t limit =
      publishes.key(1).empty() ? 0 : unsigned_parameter(codelet, publishes.key(1)).value_or(0);
  std::uint64_t sum = 0;
  for (const ComponentId id : receivers) {
    if (id == kNone || !roles_.has(graph_.components[id], Role::Receiver)) {
      continue;
    }
    std::uint64_t most = capacity_of(graph_.components[id]).value_or(1);
    most = limit == 0 ? most : std::min(most, limit);
    sum = add(sum, flow_.is_open(id) ? most : std::min(most, arriving(id)));
  }
  return sum;
}

std::uint64_t MessageBounds::sent(ComponentId transmitter) {
  const EntityId entity = graph_.components[transmitter].entity;
  if (flow_.is_open(transmitter) || !is_own(transmitter) || flow_.is_opaque(entity)) {
    return kEndless;
  }
  return flow_.has_codelets(entity) ? multiply(of_one_tick(transmitter), ticks(entity)) : 0;
}

std::uint64_t MessageBounds::arriving(ComponentId receiver) {
  if (flow_.is_open(receiver) ||
      graph_.components[receiver].capability(Can::PlainQueue) == nullptr) {
    return kEndless;
  }
  std::uint64_t sum = 0;
  for (const ComponentId transmitter : sources_[receiver]) {
    sum = add(sum, sent(transmitter));
  }
  return sum;
}

std::uint64_t MessageBounds::ticks(EntityId entity) {
  if (const auto known = ticks_.find(entity); known != ticks_.end()) {
    return known->second;
  }
  if (flow_.is_opaque(entity) || depth_ == kMostDepth) {
    return kEndless;
  }
  ticks_.emplace(entity, kEndless);  // for a cycle, which comes back here
  ++depth_;
  const std::uint64_t found = compute_ticks(entity);
  --depth_;
  return ticks_[entity] = found;
}

std::uint64_t MessageBounds::compute_ticks(EntityId entity) {
  std::uint64_t least = kEndless;
  for (const auto& [term, says] : terms_[entity]) {
    if (says == nullptr) {
      continue;
    }
    if (says->kind == Can::LimitsTicks) {
      const std::optional<std::int64_t> count = integer_parameter(*term, says->key(0));
      least = count && *count >= 0 ? std::min(least, static_cast<std::uint64_t>(*count)) : least;
    } else if (says->kind == Can::WaitsForMessages) {
      const ComponentId receiver = term->handle(says->key(0));
      const bool needs = unsigned_parameter(*term, says->key(1)).value_or(0) > 0;
      least = receiver != kNone && needs ? std::min(least, arriving(receiver)) : least;
    }
  }
  return least;
}

std::int64_t MessageBounds::period(EntityId entity) {
  if (const auto known = periods_.find(entity); known != periods_.end()) {
    return known->second;
  }
  if (flow_.is_opaque(entity) || depth_ == kMostDepth) {
    return 0;
  }
  periods_.emplace(entity, 0);
  ++depth_;
  const std::int64_t found = compute_period(entity);
  --depth_;
  return periods_[entity] = found;
}

std::int64_t MessageBounds::compute_period(EntityId entity) {
  std::int64_t longest = 0;
  for (const auto& [term, says] : terms_[entity]) {
    if (says == nullptr) {
      continue;
    }
    if (says->kind == Can::PacesTicks) {
      longest = std::max(longest, duration_parameter(*term, says->key(0)).value_or(0));
    } else if (says->kind == Can::WaitsForMessages) {
      const ComponentId receiver = term->handle(says->key(0));
      const std::vector<EntityId> sources = receiver == kNone || flow_.is_open(receiver)
                                                ? std::vector<EntityId>{}
                                                : flow_.sources(receiver);
      if (sources.size() == 1) {
        longest = std::max(longest, period(sources.front()));
      }
    }
  }
  return longest;
}

bool MessageBounds::follows(EntityId entity, EntityId other) {
  std::unordered_map<EntityId, bool> known;
  return follows(entity, other, known);
}

bool MessageBounds::follows(EntityId entity, EntityId other,
                            std::unordered_map<EntityId, bool>& known) {
  const auto [entry, is_new] = known.emplace(entity, false);  // false also in a cycle
  if (!is_new || depth_ == kMostDepth) {
    return entry->second;
  }
  ++depth_;
  const bool found = std::ranges::any_of(terms_[entity], [&](const Term& term) {
    if (term.says == nullptr || term.says->kind != Can::WaitsForMessages) {
      return false;
    }
    const ComponentId receiver = term.component->handle(term.says->key(0));
    if (receiver == kNone || flow_.is_open(receiver)) {
      return false;
    }
    const std::vector<EntityId> sources = flow_.sources(receiver);
    return !sources.empty() && std::ranges::all_of(sources, [&](EntityId source) {
      return source == other || follows(source, other, known);
    });
  });
  --depth_;
  return known[entity] = found;
}

}  // namespace gxr
