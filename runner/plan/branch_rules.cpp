#include "plan/branch_rules.hpp"

#include <algorithm>
#include <string>

#include "graph/text.hpp"
#include "plan/block_order.hpp"
#include "plan/launch_rules.hpp"
#include "plan/named_entities.hpp"
#include "plan/polling_entities.hpp"

namespace gxr {
namespace {

class Rules {
 public:
  Rules(const WorkGraph& work, Diagnostics& diagnostics)
      : work_(work), graph_(work.graph), diagnostics_(diagnostics) {}

  void check() {
    const std::size_t before = diagnostics_.errors();
    for (const Branch& branch : work_.branches.all()) {
      check_names(branch);
    }
    for (EntityId entity = 0; entity < work_.entities.size(); ++entity) {
      check_place(entity);
    }
    if (diagnostics_.errors() > before) {
      return;  // the rules that follow need the place of every entity
    }
    for (BranchId id = 0; id < work_.branches.all().size(); ++id) {
      check_selector(id);
    }
    for (EntityId entity = 0; entity < work_.entities.size(); ++entity) {
      for (const Link& link : work_.at(entity).incoming) {
        check_link(link);
      }
    }
    check_launches(work_, diagnostics_);
  }

  void check_inside(const RegionSearch* search) {
    for (const Branch& branch : work_.branches.all()) {
      check_region(branch, search);
    }
  }

  void check_order(const RegionSearch& search, std::uint32_t region) {
    const std::vector<EntityId>& members = search.regions[region].entities;
    const BlockOrder order =
        order_of_region(work_, search.region_of, region, members,
                        polling_entities(work_, search.region_of, region, members));
    for (const EntityId entity : order.stuck) {
      const std::vector<BranchPlace>& around = work_.branches.around(entity);
      if (!around.empty()) {
        report(DiagnosticCode::BranchOrder, work_.branches.at(around.back().branch),
               "waits for itself: " + called(graph_.entities[entity]) +
                   " depends on an output of the branch",
               "a branch begins when everything is there that any of its entities reads; put the "
               "entities on the way into it, or make two branches");
        return;
      }
    }
  }

 private:
  [[nodiscard]] const GraphComponent& component(const Branch& branch) const {
    return graph_.components[branch.component];
  }
  void report(DiagnosticCode code, const Branch& branch, const std::string& text,
              const std::string& hint) {
    const GraphComponent& at = component(branch);
    diagnostics_.add(code, at.where, where_length(at), "branch " + called(graph_, at) + " " + text,
                     hint);
  }

  void check_names(const Branch& branch) {
    const std::vector<BranchName> names = names_in(component(branch));
    for (const auto& [list, name, alternative] : names) {
      if (entities_called(work_, *list, *name).empty()) {
        report_no_entity(graph_, *name, diagnostics_);
      }
    }
    if (names.empty()) {
      report(DiagnosticCode::BranchEntities, branch, "has no entities", "name those that it runs");
    }
  }

  /// The branch bodies around an entity must be in each other.
  void check_place(EntityId entity) {
    const std::vector<BranchPlace>& around = work_.branches.around(entity);
    if (!around.empty() && work_.at(entity).kind == WorkEntity::Kind::Passage) {
      diagnostics_.add(DiagnosticCode::BranchEntities,
                       *work_.branches.at(around.back().branch).names.at(entity),
                       called(graph_.entities[entity]) +
                           " only passes messages on: a branch cannot keep it from that",
                       "name operators, and connect them with each other directly");
      return;
    }
    for (std::size_t i = 0; i < around.size(); ++i) {
      const BranchPlace parent = i == 0 ? BranchPlace{} : around[i - 1];
      const Branch& branch = work_.branches.at(around[i].branch);
      if (branch.parent == parent) {
        continue;
      }
      Diagnostic& diagnostic =
          diagnostics_.add(DiagnosticCode::BranchEntities, *branch.names.at(entity),
                           called(graph_.entities[entity]) +
                               " is in two branch bodies, of which none is a part of the other",
                           "name it in one branch body; a branch inside another one has all its "
                           "entities in one body of it");
      const Branch& other = i == 0 ? branch : work_.branches.at(parent.branch);
      if (&other != &branch) {
        diagnostic.related.push_back({other.names.at(entity)->location(), "named here, too"});
      }
      return;
    }
  }

  void report_selector(const Branch& branch, const std::string& reason, const std::string& hint) {
    const std::string_view key = branch_of(component(branch))->key(0);
    const ParameterAssignment* const given = component(branch).find(key);
    const std::string text =
        std::string(key) + " of branch " + called(graph_, component(branch)) + " " + reason;
    diagnostics_.add(DiagnosticCode::BranchSelector, *given->value, text, hint);
  }

  void check_selector(BranchId id) {
    const Branch& branch = work_.branches.at(id);
    if (branch.selector == kNone) {
      return;  // an Every, or reported when parameters were checked
    }
    const EntityId chooser = work_.entity_of(branch.selector);
    if (work_.at(chooser).kind != WorkEntity::Kind::Operator) {
      report_selector(branch,
                      "is no output of a capturable operator: " + called(graph_.entities[chooser]) +
                          " has none",
                      "name a transmitter of an operator that writes a number on the GPU");
      return;
    }
    const std::vector<BranchPlace>& around = work_.branches.around(chooser);
    if (branch.kind == BranchKind::While) {
      if (around.empty() || around.back().branch != id) {
        report_selector(branch, "is not written in its body",
                        "name a transmitter of an entity of the body that always runs");
      }
      return;
    }
    const std::vector<BranchPlace> outer = work_.branches.around_branch(id);
    const auto own = std::ranges::mismatch(around, outer).in1;
    // A body runs once at least.
    const bool runs_before = std::all_of(own, around.end(), [&](const BranchPlace& place) {
      return place.branch != id && work_.branches.at(place.branch).kind == BranchKind::While;
    });
    if (!runs_before) {
      report_selector(branch, "is not written in every iteration in which the branch runs",
                      "name a transmitter of an entity outside of the branch, which runs whenever "
                      "the branch does");
    }
  }

  void check_link(const Link& link) {
    const EntityId from = work_.entity_of(link.transmitter);
    const EntityId to = work_.entity_of(link.receiver);
    if (work_.branches.exclude_each_other(from, to)) {
      const GraphComponent& receiver = graph_.components[link.receiver];
      diagnostics_.add(DiagnosticCode::BranchExchange, receiver.where, where_length(receiver),
                       called(graph_.entities[to]) + " reads the output of " +
                           called(graph_.entities[from]) +
                           ", but the two never run in the same iteration",
                       "connect it to an entity that runs in the same iterations");
    }
    for (const Link& other : work_.at(to).incoming) {
      const bool in_turn =
          other.receiver == link.receiver &&
          work_.branches.exclude_each_other(from, work_.entity_of(other.transmitter));
      if (in_turn && receivers_behind(other.transmitter, from) !=
                         receivers_behind(link.transmitter, work_.entity_of(other.transmitter))) {
        report_shared(link);
        return;
      }
    }
  }

  void report_shared(const Link& link) {
    const GraphComponent& receiver = graph_.components[link.receiver];
    diagnostics_.add(
        DiagnosticCode::BranchExchange, receiver.where, where_length(receiver),
        "different bodies of a branch send to " + called(graph_, receiver) +
            ", but not to the same other receivers",
        "what they write is one tensor, so connect each of them to all receivers behind "
        "the branch");
  }

  /// Of a transmitter, but those that do not run in the same iterations as `other`.
  [[nodiscard]] std::vector<ComponentId> receivers_behind(ComponentId transmitter,
                                                          EntityId other) const {
    std::vector<ComponentId> found;
    for (const Link& link : work_.at(work_.entity_of(transmitter)).outgoing) {
      if (link.transmitter == transmitter &&
          !work_.branches.exclude_each_other(work_.entity_of(link.receiver), other)) {
        found.push_back(link.receiver);
      }
    }
    std::ranges::sort(found);
    return found;
  }

  /// All of a branch, its selector included.
  [[nodiscard]] std::vector<EntityId> members(const Branch& branch) const {
    std::vector<EntityId> all;
    for (const std::vector<EntityId>& body : branch.alternatives) {
      all.insert(all.end(), body.begin(), body.end());
    }
    if (branch.selector != kNone) {
      all.push_back(work_.entity_of(branch.selector));
    }
    return all;
  }

  void check_region(const Branch& branch, const RegionSearch* search) {
    if (search == nullptr) {
      report(
          DiagnosticCode::BranchOutside, branch, "needs a CUDA graph around it, and there is none",
          has_graph_executor(graph_)
              ? "the GraphExecutor of the files makes one if no --executor of the CPU is asked for"
              : "add a gxr::cuda::GraphExecutor that names its entities, or run with --executor "
                "graph or resident");
      return;
    }
    const std::vector<EntityId> all = members(branch);
    const auto region_of = [&](EntityId entity) { return search->region_of[entity]; };
    const auto outside = std::ranges::find(all, kNone, region_of);
    if (outside != all.end()) {
      report(DiagnosticCode::BranchOutside, branch,
             "is not in a CUDA graph as a whole: " + called(graph_.entities[*outside]) +
                 " is outside, because " + reason(*search, *outside),
             in_one_graph(branch));
      return;
    }
    const auto other = std::ranges::find_if(
        all, [&](EntityId entity) { return region_of(entity) != region_of(all.front()); });
    if (other != all.end()) {
      report(DiagnosticCode::BranchOutside, branch,
             "is in two CUDA graphs: " + called(graph_.entities[all.front()]) + " is in " +
                 in_quotes(search->regions[region_of(all.front())].name) + ", " +
                 called(graph_.entities[*other]) + " in " +
                 in_quotes(search->regions[region_of(*other)].name),
             in_one_graph(branch));
    }
  }

  static const char* in_one_graph(const Branch& branch) {
    return branch.kind == BranchKind::Every
               ? "all its entities must be in one graph"
               : "all its entities, and the one that decides, must be in one graph";
  }
  static std::string reason(const RegionSearch& search, EntityId entity) {
    return search.reasons[entity].empty() ? "it has no codelet" : search.reasons[entity];
  }

  const WorkGraph& work_;
  const Graph& graph_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_branches(const WorkGraph& work, Diagnostics& diagnostics) {
  if (!work.branches.all().empty()) {
    Rules(work, diagnostics).check();
  }
}

void check_branches_inside(const WorkGraph& work, const RegionSearch* search,
                           Diagnostics& diagnostics) {
  if (work.branches.all().empty()) {
    return;
  }
  const std::size_t before = diagnostics.errors();
  Rules rules(work, diagnostics);
  rules.check_inside(search);
  for (std::uint32_t region = 0;
       search != nullptr && diagnostics.errors() == before && region < search->regions.size();
       ++region) {
    rules.check_order(*search, region);
  }
}

}  // namespace gxr
