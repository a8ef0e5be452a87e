#include "plan/strong_components.hpp"

#include <limits>
#include <utility>

namespace gxr {
namespace {

using Node = std::uint32_t;
using Edges = std::vector<std::vector<Node>>;

constexpr Node kUnseen = std::numeric_limits<Node>::max();

/// Nodes in the order in which a depth-first search leaves them.
std::vector<Node> leaving_order(const Edges& successors) {
  std::vector<Node> order;
  std::vector<bool> entered(successors.size());
  std::vector<std::pair<Node, std::size_t>> path;
  for (Node root = 0; root < successors.size(); ++root) {
    if (!entered[root]) {
      entered[root] = true;
      path.emplace_back(root, 0);
    }
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == successors[node].size()) {
        order.push_back(node);
        path.pop_back();
      } else if (const Node target = successors[node][next++]; !entered[target]) {
        entered[target] = true;
        path.emplace_back(target, 0);
      }
    }
  }
  return order;
}

Edges reversed(const Edges& successors) {
  Edges predecessors(successors.size());
  for (Node node = 0; node < successors.size(); ++node) {
    for (const Node target : successors[node]) {
      predecessors[target].push_back(node);
    }
  }
  return predecessors;
}

}  // namespace

StrongComponents find_strong_components(const Edges& successors) {
  const Edges predecessors = reversed(successors);
  const std::vector<Node> order = leaving_order(successors);
  StrongComponents found;
  found.of.assign(successors.size(), kUnseen);
  std::vector<Node> open;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (found.of[order[i]] != kUnseen) {
      continue;
    }
    const auto number = static_cast<Node>(found.size.size());
    found.size.push_back(0);
    found.of[order[i]] = number;
    open.push_back(order[i]);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      ++found.size[number];
      for (const Node before : predecessors[node]) {
        if (found.of[before] == kUnseen) {
          found.of[before] = number;
          open.push_back(before);
        }
      }
    }
  }
  return found;
}

}  // namespace gxr
