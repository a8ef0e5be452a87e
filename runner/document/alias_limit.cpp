#include "document/alias_limit.hpp"

#include <string>

namespace gxr {

namespace {

bool is_too_wide(const YamlTree& tree, std::uint64_t& used, Diagnostics& diagnostics) {
  if (tree.alias_nodes <= kMostAliasNodes - used) {
    used += tree.alias_nodes;
    return false;
  }
  diagnostics.add(
      DiagnosticCode::TooManyAliasNodes, tree.widest_alias, 1,
      "aliases expand the file by more than " + std::to_string(kMostAliasNodes) + " values",
      "aliases of values that hold aliases multiply; write what is meant");
  return true;
}

}  // namespace

bool drop_wide_trees(std::vector<YamlTree>& trees, std::uint64_t& used, Diagnostics& diagnostics) {
  return std::erase_if(trees, [&](const YamlTree& tree) {
           return is_too_wide(tree, used, diagnostics);
         }) != 0;
}

}  // namespace gxr
