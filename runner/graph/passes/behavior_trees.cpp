#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/passes/passes.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

/// A node starts another one: `value` is the handle to the child's term.
struct ChildLink {
  EntityId parent = kNone;
  EntityId child = kNone;
  const Value* value = nullptr;
};

/// The links of a component whose parameter `children` lists terms of behaviour trees.
void add_links(const Graph& graph, const GraphComponent& component, std::vector<ChildLink>& links) {
  const ParameterAssignment* children = component.find("children");
  if (children == nullptr) {
    return;
  }
  for (const HandleReference& handle : children->handles) {
    const GraphComponent* term =
        handle.target == kNone ? nullptr : &graph.components[handle.target];
    if (term != nullptr && term->type != nullptr && term->type->name == "gxr::BTSchedulingTerm") {
      links.push_back({component.entity, term->entity, handle.value});
    }
  }
}

void report_second_parent(const Graph& graph, const ChildLink& first, const ChildLink& second,
                          Diagnostics& diagnostics) {
  diagnostics
      .add(DiagnosticCode::BehaviorTreeParents, *second.value,
           "node " + in_quotes(graph.entities[second.child].name) +
               " of a behaviour tree has two parents, " +
               in_quotes(graph.entities[first.parent].name) + " and " +
               in_quotes(graph.entities[second.parent].name),
           "give each of them a node of its own")
      .related.push_back({first.value->location(), "the first one is here"});
}

/// A node may be a child of one other, however often that lists it; its own is another mistake.
void check_parents(const Graph& graph, const std::vector<ChildLink>& links,
                   Diagnostics& diagnostics) {
  std::unordered_map<EntityId, const ChildLink*> first_of;
  for (const ChildLink& link : links) {
    if (link.parent == link.child) {
      continue;
    }
    const ChildLink& first = *first_of.try_emplace(link.child, &link).first->second;
    if (first.parent != link.parent) {
      report_second_parent(graph, first, link, diagnostics);
    }
  }
}

/// Walks down from each node and meets those that are above itself.
class CycleSearch {
 public:
  CycleSearch(const Graph& graph, const std::vector<ChildLink>& links, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics) {
    for (const ChildLink& link : links) {
      below_[link.parent].push_back(&link);
    }
    for (const ChildLink& link : links) {
      if (!visited_.contains(link.parent)) {
        walk(link.parent);
      }
    }
  }

 private:
  struct Step {
    EntityId node;
    std::size_t next = 0;
  };

  void walk(EntityId root) {
    enter(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const std::vector<const ChildLink*>& children = below_[step.node];
      if (step.next == children.size()) {
        visited_[step.node] = false;
        path_.pop_back();
        continue;
      }
      const ChildLink& link = *children[step.next++];
      const auto known = visited_.find(link.child);
      if (known == visited_.end()) {
        enter(link.child);
      } else if (known->second) {
        report(link);
      }
    }
  }

  void enter(EntityId node) {
    visited_[node] = true;
    path_.push_back({node});
  }

  void report(const ChildLink& link) {
    const auto first = std::ranges::find(path_, link.child, &Step::node);
    std::string chain;
    for (auto step = first; step != path_.end(); ++step) {
      chain += in_quotes(graph_.entities[step->node].name) + " -> ";
    }
    diagnostics_.add(DiagnosticCode::BehaviorTreeCycle, *link.value,
                     "node " + in_quotes(graph_.entities[link.child].name) +
                         " of a behaviour tree is below itself: " + chain +
                         in_quotes(graph_.entities[link.child].name),
                     "take it out of the list of children");
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  std::unordered_map<EntityId, std::vector<const ChildLink*>> below_;
  std::unordered_map<EntityId, bool> visited_;  // true while it is on the path
  std::vector<Step> path_;
};

}  // namespace

void behavior_trees(const Graph& graph, const TypeCatalog&, Diagnostics& diagnostics) {
  std::vector<ChildLink> links;
  for (const GraphComponent& component : graph.components) {
    add_links(graph, component, links);
  }
  check_parents(graph, links, diagnostics);
  CycleSearch(graph, links, diagnostics);
}

}  // namespace gxr::passes
