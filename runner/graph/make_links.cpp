#include "graph/make_links.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/named_ends.hpp"
#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"
#include "graph/unknown_work.hpp"

namespace gxr {
namespace {

/// `source` and `target` are called as in messages.
void report_duplicate(const GraphComponent& connection, const GraphComponent& first,
                      const std::string& source, const std::string& target,
                      Diagnostics& diagnostics) {
  diagnostics
      .add(DiagnosticCode::DuplicateConnection, connection.type_location, type_length(connection),
           source + " is already connected to " + target, "remove one; messages go this way once")
      .related.push_back({first.where, "connected first here"});
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
      report_duplicate(graph_.components[connection], graph_.components[entry->second],
                       called(graph_, graph_.components[transmitter]),
                       called(graph_, graph_.components[receiver]), diagnostics_);
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

std::string name_of_end(const Graph& graph, const NamedEnd& end) {
  return in_quotes(graph.entities[end.entity].name + "/" + end.port);
}

/// Connections whose links are not known, because of a type that no extension has or of another
/// error: those that are the same in all that was written.
void report_written_twice(const Graph& graph, Roles& roles, Diagnostics& diagnostics) {
  const auto value_of = [](const ParameterAssignment& assignment) {
    return std::string(assignment.key) + ": " + assignment.value->to_yaml();
  };
  std::vector<bool> linked(graph.components.size());
  for (const Link& link : graph.links) {
    linked[link.connection] = true;
  }
  std::unordered_map<std::string, ComponentId> seen;
  for (const GraphComponent& connection : graph.components) {
    const bool connects = connection.type == nullptr || roles.has(connection, Role::Connection);
    if (!connects || linked[connection.id] || !has_ends(connection)) {
      continue;
    }
    const NamedEnds ends = named_ends(graph, connection);
    if (!ends.found()) {
      continue;
    }
    const std::string source = name_of_end(graph, ends.source);
    const std::string target = name_of_end(graph, ends.target);
    std::vector<std::string> others;
    for (const ParameterAssignment& assignment : connection.parameters) {
      if (assignment.key != "source" && assignment.key != "target") {
        others.push_back(value_of(assignment));
      }
    }
    std::ranges::sort(others);
    std::string key = std::string(connection.type_name) + "\n" + source + "\n" + target;
    for (const std::string& other : others) {
      key += "\n" + other;
    }
    const auto [first, added] = seen.emplace(std::move(key), connection.id);
    if (!added) {
      report_duplicate(connection, graph.components[first->second], source, target, diagnostics);
    }
  }
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
  report_written_twice(graph, roles, diagnostics);
}

}  // namespace gxr
