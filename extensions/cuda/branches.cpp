#include "branches.hpp"

namespace gxr::cuda {
namespace {

constexpr const char* kSelector =
    "Of an operator of the same graph that runs before. Its tensor has one element, a whole "
    "number.";
constexpr const char* kEntities =
    "Names of entities, or of subgraphs, which mean all their entities. They belong to the graph "
    "of the selector. Their outputs keep their last values while they do not run.";

}  // namespace

void If::declare(Interface& interface) {
  interface.parameter(selector_, "selector", "What says which entities run: not 0, or 0",
                      kSelector);
  interface.parameter(then_, "then", "The entities that run when it is not 0", kEntities);
  interface
      .parameter(else_, "else", "The entities that run when it is 0",
                 "They may send to the same receivers as those of 'then'.")
      .default_value({});
  interface.branch_if("selector", "then", "else");
}

void Switch::declare(Interface& interface) {
  interface.parameter(selector_, "selector", "What says which body runs: the first is 0",
                      kSelector);
  interface.parameter(
      cases_, "cases", "Branch bodies, lists of entities, of which one runs",
      "None runs for other numbers. Entities of several bodies may send to the same "
      "receivers.");
  interface.branch_switch("selector", "cases");
}

void While::declare(Interface& interface) {
  interface.parameter(condition_, "condition", "What says whether the body runs once more: not 0",
                      "Of an operator of the body. Its tensor has one element, a whole number.");
  interface.parameter(body_, "body", "The entities that run, at least once", kEntities);
  interface
      .parameter(limit_, "limit", "The body runs so often in an iteration at most; 0: no limit",
                 "Without one, a condition that stays true keeps the graph from ever ending.")
      .default_value(0);
  interface.branch_while("condition", "body", "limit");
}

void Every::declare(Interface& interface) {
  interface
      .parameter(count_, "count", "From one iteration in which the body runs to the next; 1: each")
      .minimum(1);
  interface.parameter(body_, "body", "The entities that run in these iterations",
                      "Names of entities, or of subgraphs, which mean all their entities; all of "
                      "one graph. Their outputs keep their last values while they do not run.");
  interface
      .parameter(first_, "first", "The first iteration in which they run; 0: that of the run",
                 "Their outputs are read as zeros before that.")
      .default_value(0);
  interface
      .parameter(launch_, "launch", "How a loop that launches itself runs the body",
                 "in_iteration: as a part of the iteration. fire_and_forget: as a graph of its own "
                 "when the iteration is done; the next one waits for it. sibling: as a graph of "
                 "its own beside this iteration and the next ones. Other graphs run it in the "
                 "iteration.")
      .default_value(BranchLaunch::InIteration);
  interface.branch_every("count", "body", "first", "launch");
}

}  // namespace gxr::cuda
