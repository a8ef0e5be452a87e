#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "graph/message_bounds.hpp"
#include "graph/parameter_value.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"
#include "registry/parameter_text.hpp"

namespace gxr::passes {
namespace {

using Can = Capability::Kind;

/// Are more messages sent than are taken and there is room for?
bool exceeds(std::uint64_t sent, std::uint64_t taken, std::uint64_t room) {
  return sent > taken && sent - taken > room;
}

/// Finds the transmitters whose receivers can be full although their entity may tick.
class RoomCheck {
 public:
  RoomCheck(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics)
      : graph_(graph), roles_(catalog), bounds_(graph, catalog), diagnostics_(diagnostics) {}

  void run() {
    for (const GraphComponent& component : graph_.components) {
      if (roles_.has(component, Role::Transmitter)) {
        look_at(component);
      }
    }
  }

 private:
  void look_at(const GraphComponent& transmitter) {
    const MessageFlow& flow = bounds_.flow();
    const ComponentId id = transmitter.id;
    if (transmitter.capability(Can::PlainQueue) == nullptr || flow.is_open(id) ||
        flow.is_waited_for(id) || !bounds_.is_own(id) || !flow.is_connected(id) ||
        !bounds_.is_steady(transmitter.entity)) {
      return;
    }
    for (const ComponentId target : flow.targets(id)) {
      const GraphComponent& receiver = graph_.components[target];
      const std::string reason = why_full(transmitter.entity, receiver);
      if (!reason.empty()) {
        report(transmitter, receiver, reason);
        return;
      }
    }
  }

  void report(const GraphComponent& transmitter, const GraphComponent& receiver,
              const std::string& reason) {
    const std::string name = transmitter.name.empty() ? "NAME" : transmitter.name;
    diagnostics_.add(DiagnosticCode::TransmitterNotWaitedFor, transmitter.where,
                     where_length(transmitter),
                     "no scheduling term waits for room behind " + called(graph_, transmitter) +
                         ", and " + called(graph_, receiver) + " can be full: " + reason,
                     "add a gxr::DownstreamReceptiveSchedulingTerm with 'transmitter: " + name +
                         "', or let the receiver lose messages by 'policy: pop' or 'policy: "
                         "reject'");
  }

  /// Why messages of `sender` may find the receiver full; empty: they do not, as far as is known.
  std::string why_full(EntityId sender, const GraphComponent& receiver) {
    const std::optional<std::uint64_t> capacity = capacity_of(receiver);
    const EntityId reader = receiver.entity;
    if (!capacity || bounds_.flow().is_open(receiver.id) || reader == sender ||
        !fails_when_full(receiver) || !bounds_.is_steady(reader) ||
        bounds_.arriving(receiver.id) <= *capacity) {
      return {};
    }
    looked_at_.clear();
    std::string reason = why_late(reader, sender, receiver, *capacity);
    const std::vector<EntityId> sources = bounds_.flow().sources(receiver.id);
    if (reason.empty() && sources.size() > *capacity && !bounds_.takes_all(reader)) {
      reason = std::to_string(sources.size()) + " entities send there, and it holds " +
               std::to_string(*capacity);
    }
    return reason.empty() || bounds_.follows(sender, reader) ? "" : reason;
  }

  /// Why the reader may tick later than the sender has ticked again, although it has a message on
  /// `receiver`. The queues from the sender to it hold `room` messages.
  std::string why_late(EntityId reader, EntityId sender, const GraphComponent& receiver,
                       std::uint64_t room) {
    for (const auto& [term, says] : bounds_.terms(reader)) {
      if (looks_left_ == 0) {
        return {};
      }
      --looks_left_;
      std::string reason;
      if (says->kind == Can::PacesTicks) {
        reason = why_paced(reader, sender, *term, *says);
      } else if (says->kind == Can::LimitsTicks) {
        reason = why_ended(reader, sender, *term, *says, room);
      } else if (says->kind == Can::WaitsForMessages) {
        reason = why_waiting(reader, sender, term->handle(says->key(0)), receiver, room);
      } else if (says->kind == Can::WaitsForRoom) {
        reason = why_held_up(reader, sender, term->handle(says->key(0)), room);
      }
      if (!reason.empty()) {
        return reason;
      }
    }
    return {};
  }

  std::string why_paced(EntityId reader, EntityId sender, const GraphComponent& term,
                        const Capability& says) {
    const std::int64_t period = duration_parameter(term, says.key(0)).value_or(0);
    return bounds_.period(sender) < period
               ? name_of(reader) + " ticks once in " + exact_duration(period)
               : "";
  }

  std::string why_ended(EntityId reader, EntityId sender, const GraphComponent& term,
                        const Capability& says, std::uint64_t room) {
    const std::optional<std::int64_t> count = integer_parameter(term, says.key(0));
    if (!count || *count < 0) {
      return {};
    }
    const auto taken = static_cast<std::uint64_t>(*count);
    return exceeds(bounds_.ticks(sender), taken, room)
               ? name_of(reader) + " ends after " + std::to_string(taken) +
                     (taken == 1 ? " tick" : " ticks")
               : "";
  }

  /// For messages of others, which may come later or not at all.
  std::string why_waiting(EntityId reader, EntityId sender, ComponentId other,
                          const GraphComponent& receiver, std::uint64_t room) {
    if (other == kNone || other == receiver.id || bounds_.flow().is_open(other)) {
      return {};
    }
    const std::vector<EntityId> sources = bounds_.flow().sources(other);
    const bool in_time = std::ranges::any_of(sources, [&](EntityId source) {
      return source == sender || !bounds_.is_steady(source) ||
             (bounds_.period(source) <= bounds_.period(sender) &&
              !exceeds(bounds_.ticks(sender), bounds_.ticks(source), room));
    });
    return sources.empty() || in_time ? ""
                                      : name_of(reader) + " also waits for messages on " +
                                            called(graph_, graph_.components[other]);
  }

  /// For room behind a transmitter of its own, whose reader may be late. If that was looked at
  /// before, it is not.
  std::string why_held_up(EntityId reader, EntityId sender, ComponentId transmitter,
                          std::uint64_t room) {
    if (transmitter == kNone || depth_ == kMostDepth || !looked_at_.insert(reader).second) {
      return {};
    }
    std::string reason;
    ++depth_;
    for (const ComponentId target : bounds_.flow().targets(transmitter)) {
      const GraphComponent& receiver = graph_.components[target];
      const std::optional<std::uint64_t> capacity = capacity_of(receiver);
      if (reason.empty() && capacity && bounds_.is_steady(receiver.entity) &&
          bounds_.arriving(target) > *capacity) {
        reason = why_late(receiver.entity, sender, receiver, room + *capacity);
      }
    }
    --depth_;
    return reason;
  }

  [[nodiscard]] std::string name_of(EntityId entity) const {
    const GraphEntity& reader = graph_.entities[entity];
    return reader.named ? in_quotes(reader.name) : "its entity";
  }

  static constexpr std::uint32_t kMostDepth = 200;
  /// Terms that are looked at, in all: each of many transmitters may lead to many.
  static constexpr std::uint32_t kMostLooks = 4'000'000;

  const Graph& graph_;
  Roles roles_;
  MessageBounds bounds_;
  Diagnostics& diagnostics_;
  std::unordered_set<EntityId> looked_at_;  // by why_held_up(), for one receiver
  std::uint32_t looks_left_ = kMostLooks;
  std::uint32_t depth_ = 0;  // of why_held_up()
};

}  // namespace

void room_not_waited_for(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  RoomCheck(graph, catalog, diagnostics).run();
}

}  // namespace gxr::passes
