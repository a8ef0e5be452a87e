#include "plan/launch_rules.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "graph/text.hpp"
#include "plan/named_entities.hpp"

namespace gxr {
namespace {

class LaunchRules {
 public:
  LaunchRules(const WorkGraph& work, Diagnostics& diagnostics)
      : work_(work), graph_(work.graph), diagnostics_(diagnostics) {}

  void check() {
    for (BranchId id = 0; id < work_.branches.all().size(); ++id) {
      const Branch& branch = work_.branches.at(id);
      check_parent(id);
      for (EntityId entity = 0; is_launched(id) && entity < work_.entities.size(); ++entity) {
        if (branch.names.contains(entity) && !work_.at(entity).handlers.empty()) {
          report_handler(branch, entity);
        }
      }
    }
    for (const WorkEntity& entity : work_.entities) {
      for (const Link& link : entity.incoming) {
        check_link(link);
      }
    }
    for (const Link& link : work_.delayed) {
      check_link(link);
    }
  }

 private:
  [[nodiscard]] bool is_launched(BranchId id) const {
    return work_.branches.at(id).launch != BranchLaunch::InIteration;
  }
  [[nodiscard]] bool is_sibling(BranchId id) const {
    return work_.branches.at(id).launch == BranchLaunch::Sibling;
  }
  [[nodiscard]] std::string name_of(const Branch& branch) const {
    return "branch " + called(graph_, graph_.components[branch.component]);
  }

  /// At what says how a branch is launched; at the branch if that is its default.
  void report(const Branch& branch, const std::string& text, const std::string& hint) {
    const GraphComponent& component = graph_.components[branch.component];
    const std::string_view key = branch_of(component)->key(3);
    if (const ParameterAssignment* const given = component.find(key)) {
      diagnostics_.add(DiagnosticCode::BranchLaunch, *given->value, text, hint);
    } else {
      diagnostics_.add(DiagnosticCode::BranchLaunch, component.where, where_length(component), text,
                       "write '" + std::string(key) + ": in_iteration'");
    }
  }

  void report_handler(const Branch& branch, EntityId entity) {
    report(branch,
           called(graph_.entities[entity]) + " of " + name_of(branch) +
               " has a data-ready handler, which polls for input before an iteration begins",
           "move the handler to an entity outside of the body, or leave out 'launch'");
  }

  void check_parent(BranchId id) {
    const Branch& inner = work_.branches.at(id);
    if (inner.parent.branch == kNone) {
      return;
    }
    const Branch& outer = work_.branches.at(inner.parent.branch);
    const char* const hint =
        "CUDA does not launch graphs with decisions in them from the GPU, nor from a branch body; "
        "leave "
        "out 'launch', or name other entities";
    if (is_launched(id)) {
      report(inner,
             name_of(inner) + " is launched as a graph of its own, but stands in " + name_of(outer),
             hint);
    } else if (is_launched(inner.parent.branch)) {
      report(outer,
             name_of(outer) + " is launched as a graph of its own, but " + name_of(inner) +
                 " stands in it",
             hint);
    }
  }

  void check_link(const Link& link) {
    const BranchId from = work_.branches.launched_around(work_.entity_of(link.transmitter));
    const BranchId to = work_.branches.launched_around(work_.entity_of(link.receiver));
    if (from == to) {
      return;
    }
    if (from != kNone && to != kNone) {
      report_link(link,
                  "leads from " + name_of(work_.branches.at(from)) + " to " +
                      name_of(work_.branches.at(to)) +
                      ", which are launched as two graphs of their own",
                  "put an operator between them that runs in the iteration");
    } else if (from != kNone) {
      check_way_out(link, from);
    } else {
      check_way_in(link, to);
    }
  }

  void check_way_out(const Link& link, BranchId from) {
    if (!link.delayed) {
      report_link(link,
                  "leads out of " + name_of(work_.branches.at(from)) +
                      ", which is launched as a graph of its own, and is not delayed",
                  "write 'delayed: true' at the connection, to an operator of the same graph: "
                  "iterations do not wait for what is launched");
    }
  }

  void check_way_in(const Link& link, BranchId to) {
    const std::string into = "leads into " + name_of(work_.branches.at(to));
    if (is_sibling(to) && !link.delayed) {
      const EntityId from = work_.entity_of(link.transmitter);
      const bool is_operator = work_.at(from).kind == WorkEntity::Kind::Operator;
      report_link(link, into + ", which runs beside the iterations, and is not delayed",
                  is_operator ? "write 'delayed: true' at the connection, if it comes from the "
                                "same graph, or 'launch: fire_and_forget', which reads what is new"
                              : "let an operator of the same graph receive it, and connect that "
                                "with the body, delayed");
    } else if (!is_sibling(to) && link.delayed) {
      report_link(link, into + ", which runs behind the iteration, and is delayed",
                  "leave out 'delayed', as it reads what is new, or write 'launch: sibling'");
    }
  }

  void report_link(const Link& link, const std::string& text, const std::string& hint) {
    const GraphComponent& connection = graph_.components[link.connection];
    diagnostics_.add(DiagnosticCode::BranchLaunch, connection.where, where_length(connection),
                     "the connection from " + called(graph_, graph_.components[link.transmitter]) +
                         " to " + called(graph_, graph_.components[link.receiver]) + " " + text,
                     hint);
  }

  const WorkGraph& work_;
  const Graph& graph_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_launches(const WorkGraph& work, Diagnostics& diagnostics) {
  LaunchRules(work, diagnostics).check();
}

}  // namespace gxr
