#pragma once

#include <cstdint>
#include <vector>

namespace gxr {

/// Numbers of the strongly connected components of a graph's nodes, in an order in which all edges
/// lead to the same or a greater number.
struct StrongComponents {
  std::vector<std::uint32_t> of;    ///< by node
  std::vector<std::uint32_t> size;  ///< nodes in it, by number
};

/// Two depth-first searches without recursion (S. R. Kosaraju).
StrongComponents find_strong_components(const std::vector<std::vector<std::uint32_t>>& successors);

}  // namespace gxr
