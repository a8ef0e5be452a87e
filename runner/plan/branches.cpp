#include "plan/branches.hpp"

#include <algorithm>
#include <utility>

namespace gxr {
namespace {

std::vector<EntityId> all_entities(const Branch& branch) {
  std::vector<EntityId> all;
  for (const std::vector<EntityId>& alternative : branch.alternatives) {
    all.insert(all.end(), alternative.begin(), alternative.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool has_all(const std::vector<EntityId>& body, const std::vector<EntityId>& entities) {
  return !entities.empty() && std::ranges::includes(body, entities);
}

/// Of two branches with the same entities, the one of a higher rank is in the other: the condition
/// of a While is among them, so it must be written whenever the While runs; the selector of an If
/// is not.
int rank(BranchKind kind) {
  if (kind == BranchKind::While) {
    return 2;
  }
  return kind == BranchKind::Every ? 1 : 0;
}

/// Is `inner` as a whole in this body of `outer`?
bool is_inside(const Branch& inner, const Branch& outer, const std::vector<EntityId>& body) {
  if (!has_all(body, all_entities(inner))) {
    return false;
  }
  const std::vector<EntityId> all_of_outer = all_entities(outer);
  const bool each_in_other = std::ranges::any_of(
      inner.alternatives, [&](const auto& other) { return has_all(other, all_of_outer); });
  return !each_in_other || rank(inner.kind) > rank(outer.kind);
}

bool is_inside(const Branch& inner, const Branch& outer) {
  return std::ranges::any_of(outer.alternatives,
                             [&](const auto& body) { return is_inside(inner, outer, body); });
}

}  // namespace

Branches::Branches(std::vector<Branch> branches, std::size_t entities)
    : branches_(std::move(branches)), around_(entities) {
  find_parents();
  for (BranchId id = 0; id < branches_.size(); ++id) {
    for (std::uint32_t i = 0; i < branches_[id].alternatives.size(); ++i) {
      for (const EntityId entity : branches_[id].alternatives[i]) {
        around_[entity].push_back({id, i});
      }
    }
  }
  for (std::vector<BranchPlace>& places : around_) {
    std::ranges::stable_sort(
        places, {}, [&](const BranchPlace& place) { return around_branch(place.branch).size(); });
  }
}

/// The smallest body that has all of a branch is around it; of two that are the same, the inner
/// one.
void Branches::find_parents() {
  for (Branch& inner : branches_) {
    const std::vector<EntityId>* around = nullptr;
    for (BranchId id = 0; id < branches_.size(); ++id) {
      const Branch& outer = branches_[id];
      for (std::uint32_t i = 0; i < outer.alternatives.size(); ++i) {
        const std::vector<EntityId>& body = outer.alternatives[i];
        if (&inner == &outer || !is_inside(inner, outer, body)) {
          continue;
        }
        const bool nearer =
            around == nullptr || body.size() < around->size() ||
            (body.size() == around->size() && is_inside(outer, branches_[inner.parent.branch]));
        if (nearer) {
          around = &body;
          inner.parent = {id, i};
        }
      }
    }
  }
}

std::vector<BranchPlace> Branches::around_branch(BranchId branch) const {
  std::vector<BranchPlace> places;
  for (BranchPlace place = branches_[branch].parent; place.branch != kNone;
       place = branches_[place.branch].parent) {
    places.push_back(place);
  }
  std::ranges::reverse(places);
  return places;
}

BranchId Branches::launched_around(EntityId entity) const {
  const auto found = std::ranges::find_if(around_[entity], [&](const BranchPlace& place) {
    return branches_[place.branch].launch != BranchLaunch::InIteration;
  });
  return found == around_[entity].end() ? kNone : found->branch;
}

bool Branches::exclude_each_other(EntityId a, EntityId b) const {
  for (std::size_t i = 0; i < std::min(around_[a].size(), around_[b].size()); ++i) {
    const BranchPlace& first = around_[a][i];
    const BranchPlace& second = around_[b][i];
    if (first.branch != second.branch) {
      return false;
    }
    if (first.alternative != second.alternative) {
      return true;
    }
  }
  return false;
}

}  // namespace gxr
