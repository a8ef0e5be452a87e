#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"
#include "gxr/timestamp.hpp"
#include "gxr/type_name.hpp"
#include "registry/part_text.hpp"

namespace gxr::passes {
namespace {

/// A port that holds a queue, and where the YAML says so.
struct PortUse {
  const GraphComponent* codelet = nullptr;
  const PortInfo* port = nullptr;
  const ParameterAssignment* assignment = nullptr;
};

bool passes_messages(const GraphComponent& codelet) {
  return codelet.capability(Capability::Kind::PassesMessages) != nullptr ||
         codelet.capability(Capability::Kind::PassesEachMessage) != nullptr;
}

/// Follows messages from the ports that publish them to all receivers, through codelets that pass
/// them on. Of ports of one type, one is kept for each queue, so the work grows with the number of
/// queues.
class Flow {
 public:
  Flow(const Graph& graph, const TypeCatalog& catalog) : graph_(graph), roles_(catalog) {
    for (const GraphComponent& component : graph.components) {
      if (roles_.has(component, Role::Codelet) && !component.flawed) {
        add_ports(component);
        if (passes_messages(component)) {
          add_passage(component);
        }
      }
    }
    if (inputs_.empty()) {
      return;
    }
    for (const Link& link : graph.links) {
      if (!link.duplicate) {
        next_[link.transmitter].push_back(link.receiver);
      }
    }
    while (!pending_.empty()) {
      const auto [queue, use] = pending_.back();
      pending_.pop_back();
      if (const auto found = next_.find(queue); found != next_.end()) {
        for (const ComponentId behind : found->second) {
          reach(behind, use);
        }
      }
    }
  }

  /// Input ports that declare parts.
  [[nodiscard]] const std::vector<PortUse>& inputs() const noexcept { return inputs_; }

  /// Output ports that declare parts, whose messages come to this receiver: one of each type.
  [[nodiscard]] std::span<const PortUse> sources(ComponentId receiver) const {
    const auto found = reached_.find(receiver);
    return found == reached_.end() ? std::span<const PortUse>{} : std::span(found->second);
  }

 private:
  void add_ports(const GraphComponent& codelet) {
    for (const PortInfo& port : codelet.type->ports) {
      const ParameterAssignment* const assignment = codelet.find(port.key);
      const ComponentId queue = codelet.handle(port.key);
      if (port.parts.empty() || assignment == nullptr || queue == kNone) {
        continue;
      }
      const PortUse use{&codelet, &port, assignment};
      if (port.direction == PortInfo::Direction::Input) {
        inputs_.push_back(use);
      } else {
        reach(queue, use);
      }
    }
  }

  void add_passage(const GraphComponent& codelet) {
    const std::vector<ComponentId> outputs = queues_of(codelet, Role::Transmitter);
    for (const ComponentId input : queues_of(codelet, Role::Receiver)) {
      std::vector<ComponentId>& behind = next_[input];
      behind.insert(behind.end(), outputs.begin(), outputs.end());
    }
  }

  /// Queues that the codelet has handles to. One without such handles takes all of its entity, but
  /// only an entity without mistakes, and with no other codelet, tells which those are.
  [[nodiscard]] std::vector<ComponentId> queues_of(const GraphComponent& codelet, Role role) {
    std::vector<ComponentId> queues;
    for (const ParameterAssignment& assignment : codelet.parameters) {
      for (const HandleReference& handle : assignment.handles) {
        if (handle.target != kNone && roles_.has(graph_.components[handle.target], role)) {
          queues.push_back(handle.target);
        }
      }
    }
    const GraphEntity& entity = graph_.entity_of(codelet);
    if (!queues.empty() || entity.flawed || graph_.lost_components.contains(entity.id)) {
      return queues;
    }
    for (const ComponentId id : entity.components) {
      const GraphComponent& other = graph_.components[id];
      if (other.type == nullptr || (id != codelet.id && roles_.has(other, Role::Codelet))) {
        return {};
      }
      if (roles_.has(other, role)) {
        queues.push_back(id);
      }
    }
    return queues;
  }

  void reach(ComponentId queue, const PortUse& use) {
    std::vector<PortUse>& uses = reached_[queue];
    if (std::ranges::find(uses, use.port, &PortUse::port) == uses.end()) {
      uses.push_back(use);
      pending_.emplace_back(queue, use);
    }
  }

  const Graph& graph_;
  Roles roles_;
  /// Queues to which the messages of a queue go: by connections, and by codelets that pass them on.
  std::unordered_map<ComponentId, std::vector<ComponentId>> next_;
  std::unordered_map<ComponentId, std::vector<PortUse>> reached_;
  std::vector<std::pair<ComponentId, PortUse>> pending_;
  std::vector<PortUse> inputs_;
};

bool are_disjoint(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return !one.empty() && !other.empty() && std::ranges::none_of(one, [&](const std::string& name) {
    return std::ranges::find(other, name) != other.end();
  });
}

bool dimensions_fit(const PartInfo& needed, const PartInfo& sent) {
  if (needed.rank && sent.rank && *needed.rank != *sent.rank) {
    return false;
  }
  const std::size_t common = std::min(needed.dimensions.size(), sent.dimensions.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (needed.dimensions[i] >= 0 && sent.dimensions[i] >= 0 &&
        needed.dimensions[i] != sent.dimensions[i]) {
      return false;
    }
  }
  return true;
}

/// May these be the same part? A name that is not known may be any.
bool may_be(const PartInfo& needed, const PartInfo& sent) {
  return needed.type == sent.type &&
         (needed.name.empty() || sent.name.empty() || needed.name == sent.name);
}

bool fits(const PartInfo& needed, const PartInfo& sent) {
  return may_be(needed, sent) && !are_disjoint(needed.elements, sent.elements) &&
         !are_disjoint(needed.formats, sent.formats) && dimensions_fit(needed, sent);
}

/// Transmitter::publish() adds it to any message.
bool is_added_by_publish(const PartInfo& part) {
  return part.type == type_name<Timestamp>() && (part.name.empty() || part.name == "timestamp");
}

/// Can messages of the output have the part as it is needed?
bool is_sent(const PartInfo& needed, const PortInfo& output) {
  const bool fitting =
      std::ranges::any_of(output.parts, [&](const PartInfo& sent) { return fits(needed, sent); });
  const bool there =
      std::ranges::any_of(output.parts, [&](const PartInfo& sent) { return may_be(needed, sent); });
  return fitting ||
         (!there && (needed.optional || output.other_parts || is_added_by_publish(needed)));
}

/// Calls `use` with each part and its alternatives.
template <class F>
void for_each_choice(std::span<const PartInfo> parts, F&& use) {
  while (!parts.empty()) {
    const auto behind = std::find_if(parts.begin() + 1, parts.end(),
                                     [](const PartInfo& part) { return !part.alternative; });
    const auto count = static_cast<std::size_t>(behind - parts.begin());
    use(parts.first(count));
    parts = parts.subspan(count);
  }
}

bool is_gxf_name(const GraphComponent& component) {
  return component.type_name.starts_with("nvidia::gxf::");
}

void compare(const Graph& graph, const PortUse& input, const PortUse& output,
             Diagnostics& diagnostics) {
  for_each_choice(input.port->parts, [&](std::span<const PartInfo> choice) {
    const bool sent = std::ranges::any_of(
        choice, [&](const PartInfo& needed) { return is_sent(needed, *output.port); });
    if (sent) {
      return;
    }
    std::vector<PartInfo> shown(choice.begin(), choice.end());
    for (PartInfo& part : shown) {
      part.optional = false;
    }
    Diagnostic& diagnostic = diagnostics.add(
        DiagnosticCode::PortMismatch, *input.assignment->value,
        called(graph, *input.codelet) + (choice.front().optional ? " takes only " : " needs ") +
            spell(shown, "; ") + " on " + in_quotes(input.port->key) + ", and " +
            called(graph, *output.codelet) + " sends " + spell(output.port->parts, "; ") + " on " +
            in_quotes(output.port->key),
        "connect a port that sends it, or put an entity between them that converts");
    diagnostic.related.push_back(
        {output.assignment->value->location(), "the messages are published here"});
    if (is_gxf_name(*input.codelet) || is_gxf_name(*output.codelet)) {
      diagnostics.soften(diagnostic);
    }
  });
}

}  // namespace

void ports(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  const Flow flow(graph, catalog);
  for (const PortUse& input : flow.inputs()) {
    for (const PortUse& output : flow.sources(input.codelet->handle(input.port->key))) {
      compare(graph, input, output, diagnostics);
    }
  }
}

}  // namespace gxr::passes
