#include "graph/make_links.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

void report_duplicate(const Graph& graph, const Link& link, ComponentId first,
                      Diagnostics& diagnostics) {
  const GraphComponent& connection = graph.components[link.connection];
  diagnostics
      .add(DiagnosticCode::DuplicateConnection, connection.type_location,
           length_of(connection.type_name),
           called(graph, graph.components[link.transmitter]) + " is already connected to " +
               called(graph, graph.components[link.receiver]),
           "remove one; messages go this way once")
      .related.push_back({graph.components[first].where, "connected first here"});
}

/// Collects the links of a graph; a repeated one is marked and reported.
class LinkCollector {
 public:
  LinkCollector(Diagnostics& diagnostics, Graph& graph)
      : diagnostics_(diagnostics), graph_(graph) {}

  void add(ComponentId transmitter, ComponentId receiver, ComponentId connection,
           bool delayed = false) {
    if (transmitter == kNone || receiver == kNone) {
      return;
    }
    Link link{transmitter, receiver, connection, false, delayed};
    const std::uint64_t key = (std::uint64_t{transmitter} << 32U) | receiver;
    const auto [entry, added] = seen_.emplace(key, connection);
    if (!added) {
      link.duplicate = true;
      report_duplicate(graph_, link, entry->second, diagnostics_);
    }
    graph_.links.push_back(link);
  }

 private:
  Diagnostics& diagnostics_;
  Graph& graph_;
  std::unordered_map<std::uint64_t, ComponentId> seen_;
};

/// The ends of one topic, and which component lists each.
struct TopicEnds {
  std::vector<std::pair<ComponentId, ComponentId>> transmitters;
  std::vector<std::pair<ComponentId, ComponentId>> receivers;
};

void add_ends(const GraphComponent& topic, std::string_view key,
              std::vector<std::pair<ComponentId, ComponentId>>& ends) {
  if (const ParameterAssignment* assignment = topic.find(key)) {
    for (const HandleReference& handle : assignment->handles) {
      ends.emplace_back(handle.target, topic.id);
    }
  }
}

/// Empty names fall back to the component's.
std::string topic_name(const GraphComponent& topic) {
  const ParameterAssignment* assignment = topic.find("topic_name");
  const bool given = assignment != nullptr && assignment->value->is_scalar();
  return given && !assignment->value->text().empty() ? std::string(assignment->value->text())
                                                     : topic.name;
}

/// Topics by name, in the order of first mention.
class Topics {
 public:
  TopicEnds& named(const std::string& name) {
    const auto [entry, added] = index_.try_emplace(name, topics_.size());
    if (added) {
      topics_.emplace_back();
    }
    return topics_[entry->second];
  }
  void link(LinkCollector& links) const {
    for (const TopicEnds& topic : topics_) {
      for (const auto& [transmitter, first] : topic.transmitters) {
        for (const auto& [receiver, second] : topic.receivers) {
          links.add(transmitter, receiver, std::max(first, second));
        }
      }
    }
  }

 private:
  std::vector<TopicEnds> topics_;
  std::unordered_map<std::string, std::size_t> index_;
};

Topics collect_topics(const Graph& graph, Roles& roles) {
  Topics topics;
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Topic)) {
      TopicEnds& ends = topics.named(topic_name(component));
      add_ends(component, "transmitters", ends.transmitters);
      add_ends(component, "receivers", ends.receivers);
    }
  }
  return topics;
}

/// Those of queues that name their topic themselves.
Topics collect_joined_topics(const Graph& graph, Roles& roles) {
  Topics topics;
  for (const GraphComponent& component : graph.components) {
    const Capability* const joins = component.capability(Capability::Kind::JoinsTopic);
    const bool is_transmitter = roles.has(component, Role::Transmitter);
    if (joins == nullptr || (!is_transmitter && !roles.has(component, Role::Receiver))) {
      continue;  // a list of types may be wrong, and queues are what is linked
    }
    const std::optional<std::string> name = text_parameter(component, joins->key(0));
    if (!name) {
      continue;  // a missing name was reported
    }
    TopicEnds& ends = topics.named(*name);
    (is_transmitter ? ends.transmitters : ends.receivers).emplace_back(component.id, component.id);
  }
  return topics;
}

}  // namespace

void make_links(const TypeCatalog& catalog, Diagnostics& diagnostics, Graph& graph) {
  Roles roles(catalog);
  LinkCollector links(diagnostics, graph);
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Connection)) {
      links.add(component.handle("source"), component.handle("target"), component.id,
                bool_parameter(component, "delayed").value_or(false));
    }
  }
  collect_topics(graph, roles).link(links);
  collect_joined_topics(graph, roles).link(links);
}

}  // namespace gxr
