#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/branch_kind.hpp"
#include "graph/graph.hpp"

namespace gxr {

using BranchId = std::uint32_t;

/// Does a tensor say which list runs, before the branch begins?
constexpr bool is_chosen(BranchKind kind) noexcept {
  return kind == BranchKind::If || kind == BranchKind::Switch;
}

/// One list of a branch: of an If 0 is 'then' and 1 'else', of a While and an Every 0 is the
/// body.
struct BranchPlace {
  BranchId branch = kNone;
  std::uint32_t alternative = 0;
  bool operator==(const BranchPlace&) const = default;
};

/// A gxr::cuda::If, Switch, While or Every: which entities of a CUDA graph run is decided on the
/// GPU.
struct Branch {
  BranchKind kind = BranchKind::If;
  ComponentId component = kNone;
  ComponentId selector = kNone;  ///< the transmitter whose tensor decides; an Every has none
  /// Those of branches in them included; ascending, each once.
  std::vector<std::vector<EntityId>> alternatives;
  std::unordered_map<EntityId, const Value*> names;  ///< where they are named
  BranchLaunch launch = BranchLaunch::InIteration;   ///< of an Every
  BranchPlace parent;                                ///< where it stands in another branch
};

/// All branches of an application, and what is in them.
class Branches {
 public:
  Branches() = default;
  Branches(std::vector<Branch> branches, std::size_t entities);

  [[nodiscard]] const std::vector<Branch>& all() const noexcept { return branches_; }
  [[nodiscard]] const Branch& at(BranchId id) const { return branches_[id]; }
  /// The branch bodies that an entity is in, outermost first.
  [[nodiscard]] const std::vector<BranchPlace>& around(EntityId entity) const {
    return around_[entity];
  }
  /// The same of a branch.
  [[nodiscard]] std::vector<BranchPlace> around_branch(BranchId branch) const;
  /// The branch that has an entity and is launched as a graph of its own; kNone: there is none.
  [[nodiscard]] BranchId launched_around(EntityId entity) const;
  /// Does never more than one of the two run in an iteration?
  [[nodiscard]] bool exclude_each_other(EntityId a, EntityId b) const;

 private:
  void find_parents();

  std::vector<Branch> branches_;
  std::vector<std::vector<BranchPlace>> around_;  // by entity
};

}  // namespace gxr
